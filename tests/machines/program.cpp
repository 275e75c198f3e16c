// What a user's program does, on any machine: it trains a small LSTM on two threads, saves its parameters and loads them again, and reads a
// sequence step by step. Prints digits, which are the same everywhere, and with TENON_PORTABLE a hash of all bits of parameters and outputs.
// tests/machines/run compares both with tests/golden/machines.txt. With the argument `without-files` no file is written: in a browser.
#include "../support/hash_of_bits.hpp"
#include <tenon/io.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

namespace {

constexpr int rows = 24, length = 12;
using follower = graph<"follower", input<"x", features<2>, steps<length>>, node<"states", lstm<9>, "x">,
                       node<"y", chain<linear<5>, activation::gelu, linear<1>>, "states">, output<"y">>;

// Whole numbers and quotients of them, so that no function of a C library is in the data.
std::vector<std::array<float, 2>> numbers_of(int row) {
  std::vector<std::array<float, 2>> all;
  for (int t = 0; t < length; ++t)
    all.push_back({float((7 * row + 3 * t) % 11 - 5) / 8, float((5 * row + 9 * t) % 13 - 6) / 8});
  return all;
}
// The running mean of the first feature.
std::vector<std::array<float, 1>> target_of(int row) {
  std::vector<std::array<float, 1>> all;
  float sum = 0;
  for (const auto& x : numbers_of(row)) {
    sum += x[0];
    all.push_back({sum / float(all.size() + 1)});
  }
  return all;
}

template <class Theta>
void add_to(hash_of_bits& all, const Theta& theta) {
  for (int k = 0; k < theta.count(); ++k) all.add(theta.data()[k]);
}

int failed(const char* what) {
  std::printf("FAILED: %s\n", what);
  return 1;
}

}  // namespace

int main(int count, char** given) {
  const bool has_files = count < 2 || std::strcmp(given[1], "without-files") != 0;

  const data_set data(column<"x">(rows, numbers_of), column<"target">(rows, target_of));
  parameters<follower> theta(seed{1});
  trainer<follower, losses::mse<"y">, optimizers::adam, batch<8>, shards<2>> training(
      theta, {.learning_rate = 0.01});
  const auto history = fit(training, data, {.epochs = 60});
  std::printf("loss %.3f to %.4f\n", history.epochs.front().loss, history.epochs.back().loss);

  parameters<follower> loaded(seed{2});
  if (has_files) {
    save(theta, "machine.safetensors");
    load(loaded, "machine.safetensors");
    std::remove("machine.safetensors");
  } else {
    loaded = theta;
  }
  hash_of_bits before, after;
  add_to(before, theta);
  add_to(after, loaded);
  if (before.value() != after.value()) return failed("loaded parameters are not those that were saved");

  inference<follower> whole(loaded);
  streaming<follower> live(loaded);
  const auto x = numbers_of(100);
  const auto all = whole(std::vector(1, x));
  std::printf("outputs");
  for (std::size_t t = 0; t < x.size(); ++t) {
    const float y = live.step(x[t])(0, 0);
    if (std::abs(all(0, t, 0) - y) > 1e-5f) return failed("a step's output is not the sequence's");
    after.add(all(0, t, 0));
    if (t % 3 == 2) std::printf(" %.3f", y);
  }
  std::printf("\n");
#if defined(TENON_PORTABLE)
  std::printf("hash %016llx\n", static_cast<unsigned long long>(after.value()));
#endif
}
