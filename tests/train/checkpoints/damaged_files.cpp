// Parameters and checkpoints on unexpected bytes, as tests/io/mutations.cpp has the file parsers; and damaged files, whose checksums tell.
// TENON_DAMAGED=50000 in the environment damages so many of each kind.
#include "io/fuzz/mutator.hpp"
#include "io/fuzz/trainings.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

using namespace tenon;
using namespace tenon::fuzz;

namespace {

const int damaged = [] {
  const char* const given = std::getenv("TENON_DAMAGED");
  return given == nullptr ? 1000 : std::atoi(given);
}();

// As disks and transfers damage files: a wrong bit, a block of another content, an end that is lost, two blocks exchanged.
std::string damage(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::size_t at = below(bytes.size()), count = std::min(1 + below(64), bytes.size() - at);
  switch (below(5)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
      break;
    case 1:
      bytes.replace(at, count, count, "\0\xFF"[below(2)]);
      break;
    case 2:
      for (std::size_t k = at; k < at + count; ++k) bytes[k] = static_cast<char>(random());
      break;
    case 3:
      bytes.resize(at);
      break;
    default:
      std::swap_ranges(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count / 2),
                       bytes.begin() + static_cast<std::ptrdiff_t>(at + count / 2));
  }
  return bytes;
}

// read(path) throws, or returns whether all is as it was before the damage. Returns how many files are refused.
int refused(const std::string& right, bool (*read)(const std::string&)) {
  std::mt19937 random(3);
  int count = 0;
  for (int k = 0; k < damaged; ++k) {
    const std::string bytes = damage(right, random), path = file_of(bytes);
    try {
      const bool is_as_before = read(path);
      REQUIRE(is_as_before);
    } catch (const data_error& error) {
      count += bytes != right;
      REQUIRE(std::string(error.what()).starts_with(path));
    }
  }
  return count;
}

}  // namespace

TEST_CASE("parameters by name") { CHECK(run("parameter_file", parameter_file, 5000) > 20); }
TEST_CASE("checkpoints") { CHECK(run("checkpoint_file", checkpoint_file, 1500) > 5); }

TEST_CASE("damaged parameters are refused, and nothing else is read") {
  static const parameters<pixels> right(seed{3});
  save(right, scratch("right"));
  CHECK(refused(detail::read_file(scratch("right")), [](const std::string& path) {
          parameters<pixels> theta(seed{4});
          load(theta, path);
          return have_same_bits(theta, right);
        }) > damaged * 9 / 10);
}
TEST_CASE("a damaged checkpoint is refused, and nothing else is read") {
  static training right;
  right.to(3, scratch("run"));
  CHECK(refused(detail::read_file(scratch("run")), [](const std::string& path) {
          training run;
          run.to(3, path);
          return have_same_bits(run.theta, right.theta) && run.t.steps() == right.t.steps();
        }) > damaged * 9 / 10);
}
