// Event files: checksums against published values, records with the same bytes as the tensorboard package writes.
#include "tenon/io/event_file.hpp"

#include "tenon/tensor/view.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace tenon;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream from(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}
struct folder {
  std::string path =
      (std::filesystem::temp_directory_path() / ("tenon_events_" + std::to_string(::getpid()))).string();
  ~folder() { std::filesystem::remove_all(path); }
};
// The records of a file; all lengths must be complete.
std::vector<std::string> records(std::string_view bytes) {
  std::vector<std::string> all;
  while (bytes.size() >= 16) {
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data(), 8);
    REQUIRE(size + 16 <= bytes.size());
    all.emplace_back(bytes.substr(0, size + 16));
    bytes.remove_prefix(size + 16);
  }
  CHECK(bytes.empty());
  return all;
}
const std::string golden = text_of(TENON_GOLDEN_DIR "/event_file.bin");

}  // namespace

TEST_CASE("CRC-32C of the vectors of RFC 3720, B.4, and of the usual one") {
  std::string rising, falling;
  for (int k = 0; k < 32; ++k) {
    rising += static_cast<char>(k);
    falling += static_cast<char>(31 - k);
  }
  CHECK(detail::crc32c("") == 0);
  CHECK(detail::crc32c("123456789") == 0xE3069283);
  CHECK(detail::crc32c(std::string(32, '\0')) == 0x8A9136AA);
  CHECK(detail::crc32c(std::string(32, '\xFF')) == 0x62A8AB43);
  CHECK(detail::crc32c(rising) == 0x46DD794E);
  CHECK(detail::crc32c(falling) == 0x113FDB5C);
}
TEST_CASE("records are those of the tensorboard package, to the byte") {
  const auto expected = records(golden);
  REQUIRE(expected.size() == 6);
  CHECK(detail::event_record(detail::event_of_version(1700000000.25)) == expected[0]);
  const folder f;
  io::event_file file(f.path + "/deep/run");
  file.scalar("loss/train", 2.302585, 0, 1700000001.5);
  file.scalar("loss/train", 0, 1, 1700000002.5);
  file.scalar("a na\u00efve name of more than 127 bytes " + std::string(100, 'x'), -1e-3, 300, 1700000003.5);
  file.scalar("loss/train", INFINITY, 1L << 40, 1700000004.5);
  file.histogram("states.weight_hh_l0", std::vector<double>{-2, -0.5, 0, 0, 1e-12, 0.25, 0.25, 3, 1e21}, 7,
                 1700000005.5);
  const auto written = records(text_of(file.path()));  // while it is open: each call writes through
  REQUIRE(written.size() == 6);
  for (std::size_t k = 1; k < 6; ++k) CHECK(written[k] == expected[k]);
  CHECK(written[0].size() == expected[0].size());
  CHECK(written[0].substr(21, 15) == expected[0].substr(21, 15));  // after the time: the version
}
TEST_CASE("a file says when it was written") {
  const folder f;
  const double before = detail::wall_time();
  io::event_file file(f.path);
  file.scalar("x", 1, 2);
  for (const std::string& record : records(text_of(file.path()))) {
    double time = 0;
    std::memcpy(&time, record.data() + 13, 8);
    CHECK(time >= before);
    CHECK(time <= detail::wall_time());
  }
  CHECK(before > 1.7e9);  // seconds since 1970
}
TEST_CASE("files of one folder have names of their own, which TensorBoard looks for") {
  const folder f;
  io::event_file one(f.path), two(f.path);
  CHECK(one.path() != two.path());
  CHECK(one.path().starts_with(f.path + "/events.out.tfevents."));
  CHECK(std::distance(std::filesystem::directory_iterator(f.path), {}) == 2);
}
TEST_CASE("a histogram of a view is that of its elements, whatever its strides and type") {
  const folder f;
  io::event_file file(f.path);
  const float block[]{1, 9, 2, 9, 3, 9};
  file.histogram("x", view<const float>(block, {3}, {2}), 1, 5);
  file.histogram("x", std::vector<int>{3, 2, 1}, 1, 5);
  const auto written = records(text_of(file.path()));
  CHECK(written[1] == written[2]);
}
TEST_CASE("the bucket of a number ends above it and begins at it or below") {
  const auto buckets = [](double value) {
    detail::value_histogram h;
    h.add(value);
    return h.encoded().encoded();
  };
  const std::string ten = buckets(10);
  double start = 1e-12;
  while (start * 1.1 <= 10) start *= 1.1;
  const auto ends_of = [](const std::string& message, double value) {  // without min, max, sum
    return message.find(std::string(reinterpret_cast<const char*>(&value), 8)) != std::string::npos;
  };
  CHECK(ends_of(ten, start));
  CHECK(ends_of(ten, start * 1.1));
  CHECK(!ends_of(ten, start * 1.1 * 1.1));
  CHECK(ends_of(ten, std::numeric_limits<double>::max()));
}
TEST_CASE("what cannot be counted is refused and writes nothing") {
  const folder f;
  io::event_file file(f.path);
  CHECK_THROWS_WITH_AS(file.histogram("w", std::vector<float>{1, 2, NAN}, 1),
                       "event_file: expected finite numbers in histogram 'w', got nan as element 2",
                       input_error);
  CHECK_THROWS_WITH_AS(file.histogram("w", std::vector<float>{-INFINITY}, 1),
                       "event_file: expected finite numbers in histogram 'w', got inf as element 0",
                       input_error);
  CHECK_THROWS_WITH_AS(file.histogram("w", std::vector<float>{}, 1),
                       "event_file: expected numbers in histogram 'w', got none", input_error);
  const char* const sentence = "event_file: the tag '\xff' is not UTF-8, which TensorBoard asks for";
  CHECK_THROWS_WITH_AS(file.histogram("\xff", std::vector<float>{1}, 1), sentence, input_error);
  CHECK_THROWS_WITH_AS(file.scalar("\xff", 1, 1), sentence, input_error);
  CHECK(records(text_of(file.path())).size() == 1);
}
TEST_CASE("a file that was moved from says so") {
  const folder f;
  io::event_file file(f.path);
  io::event_file taken = std::move(file);
  taken.scalar("x", 1, 1);
  CHECK_THROWS_WITH_AS(file.scalar("x", 1, 2), "event_file: what was moved to another cannot be written to",
                       input_error);
  CHECK(records(text_of(taken.path())).size() == 2);
}
TEST_CASE("a folder that cannot be made is an error") {
  const folder f;
  std::filesystem::create_directories(f.path);
  std::ofstream(f.path + "/taken") << "a file";
  CHECK_THROWS_WITH_AS(io::event_file(f.path + "/taken"),
                       (f.path + "/taken: cannot be created: Not a directory").c_str(), data_error);
}
TEST_CASE("a disk that is full is an error") {
  const folder f;
  io::event_file file(f.path);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{60, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    file.scalar("x", 1, 2);
  } catch (const data_error& error) { message = error.what(); }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(message == file.path() + ": cannot be written: File too large");
}
