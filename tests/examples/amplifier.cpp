// The amplifier: networks learn the circuit from some seconds of sound; players cut what hosts give into blocks.
// flags: -O2
#include "../../examples/amplifier/circuit.hpp"
#include "../../examples/amplifier/learning.hpp"
#include "../../examples/amplifier/numbers.hpp"
#include "support/allocations.hpp"
#include "support/temporary_file.hpp"
#include "support/worse.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

using namespace amplifier;

namespace {

static_assert(check<convolutional_network>());
constexpr std::size_t second = simulated_rate;

// Twelve seconds, of which the last two are held out.
struct recording {
  std::vector<float> dry = plucked_strings(12 * second, simulated_rate, 1);
  std::vector<float> wet = through_circuit(dry, simulated_rate);
};
const recording& both() {
  static const recording one;
  return one;
}
template <class Network, int Rows>
parameters<Network> learned_by(int epochs, double rate) {
  parameters<Network> theta(seed{1});
  learn<Network, Rows>(theta, signal(both().dry).first(10 * second), signal(both().wet).first(10 * second),
                       epochs, rate, nullptr);
  return theta;
}
template <class Network>
double ratio_of(const parameters<Network>& theta) {
  return error_to_signal(played(theta, signal(both().dry).subspan(10 * second)),
                         signal(both().wet).subspan(10 * second));
}

// As the convolutional network, with two layers in each stack, which see 1 + 2 * (1 + 8) + 2 * (2 + 32) = 87 samples.
struct small_convolutional_network
    : graph<"small", input<"in", features<1>, steps<longest>>, node<"wide", linear<8>, "in">,
            node<"a0", first_layer<8>, "wide">, node<"a1", layer<8, 8>, "a0", "a0.head">,
            node<"narrow", linear<4>, "a1">, node<"head", linear<4>, "a1.head">,
            node<"b0", layer<4, 2>, "narrow", "head">, node<"b1", last_layer<4, 32>, "b0", "b0.head">,
            node<"out", linear<1>, "b1">, output<"out">> {
  static constexpr int window = longest, warm_up = 86;
};

}  // namespace

TEST_CASE("the circuit clips, less on one side, and remembers") {
  circuit one(48000);
  float high = 0, low = 0;
  for (int t = 0; t < 48000; ++t) {
    const float out = one(std::sin(0.01f * static_cast<float>(t)));
    high = std::max(high, out);
    low = std::min(low, out);
  }
  CHECK(high > 0.4f);
  CHECK(high < 0.6f);
  CHECK(low < -0.8f);
  CHECK(low > -1.2f);
  for (int t = 0; t < 48; ++t) one(0);
  CHECK(std::abs(one(0)) > 0.01f);  // after 1 ms of silence the capacitors are still charged
}

TEST_CASE("the recurrent network learns it") {
  const auto theta = learned_by<recurrent_network, 8>(10, 1e-2);
  CHECK(ratio_of(theta) < 0.1);
  CHECK(ratio_of(parameters<recurrent_network>(seed{1})) > 0.5);

  const auto one = learned_by<recurrent_network, 8>(1, 1e-2),
             again = learned_by<recurrent_network, 8>(1, 1e-2);
  CHECK(std::equal(one.data(), one.data() + one.block_size, again.data()));
}

TEST_CASE("stacks of dilated convolutions learn it") {
  CHECK(ratio_of(learned_by<small_convolutional_network, 4>(10, 1e-2)) < 0.2);
}

TEST_CASE("signals that do not fit are refused") {
  const std::vector<float> some(3000), fewer(2047);
  CHECK_THROWS_WITH_AS(windows_of<recurrent_network>(some, fewer),
                       "expected two signals of the same length, at least 2048 samples, got 3000 and 2047",
                       input_error);
  CHECK_THROWS_AS(windows_of<recurrent_network>(fewer, fewer), input_error);
}

TEST_CASE("blocks of any length, in place, without an allocation") {
  const parameters<recurrent_network> theta(seed{1});
  const signal dry = signal(both().dry).first(3000);
  const std::vector<float> expected = played(theta, dry);
  player_of<recurrent_network> live(theta);
  std::vector<float> out(dry.begin(), dry.end());
  int allocated = 0;
  for (std::size_t t = 0, samples = 1; t < out.size(); t += samples, samples = samples * 3 % 331) {
    samples = std::min(samples, out.size() - t);
    allocated += test::allocations_of([&] { live.process({out.data() + t, samples}, out.data() + t); });
  }
  CHECK(allocated == 0);
  double worst = 0;
  for (std::size_t t = 0; t < out.size(); ++t)
    worst = test::worse(worst, std::abs(double{out[t]} - double{expected[t]}));
  CHECK(worst < 1e-6);

  live.reset();
  live.process(dry.first(64), out.data());  // as the first block
  CHECK(std::equal(out.begin(), out.begin() + 64, expected.begin()));
}

TEST_CASE("parameters go through a header to the last bit") {
  const parameters<recurrent_network> theta(seed{7});
  const temporary_folder folder;
  write_numbers(folder.path + "/learned.hpp", theta, 48000);
  const std::string page = tenon::detail::read_file(folder.path + "/learned.hpp");
  CHECK(page.find("learned_rate = 48000;") != std::string::npos);
  std::vector<float> numbers;
  for (std::size_t at = page.find('{', page.find("learned{")); at < page.size(); ++at) {
    if (page.compare(at, 2, "//") == 0) at = page.find('\n', at);  // a name
    if (page[at] != ' ') continue;
    char* end = nullptr;
    const float number = std::strtof(page.c_str() + at, &end);
    if (*end != 'f') continue;
    numbers.push_back(number);
    at = static_cast<std::size_t>(end - page.c_str());
  }
  REQUIRE(numbers.size() == static_cast<std::size_t>(theta.count()));
  const auto again = with_numbers<recurrent_network>(numbers);
  CHECK(std::equal(theta.data(), theta.data() + theta.block_size, again.data()));
}
