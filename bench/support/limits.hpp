// The limits of the machine: reading bytes from a cache, and multiply-adds and gates that stay in registers.
#pragma once

#include "support/contender.hpp"
#include "support/vector_math.hpp"
#include <tenon/tensor/memory.hpp>

#include <benchmark/benchmark.h>

namespace bench {

// Reads as many bytes as the work must, repeatedly from the same place, and so from the cache that holds them.
class reading final : public contender {
  tenon::engine::memory<float> data;
  int times;
  lanes total = lanes(0.f);

  // Reads from one place on, or from two: then the prefetchers fetch more lines at once from beyond the L2.
  template <int Fronts>
  void read() {
    lanes sums[8];
    unrolled<8>([&](auto k) { sums[k] = lanes(0.f); });
    const std::size_t length = data.size() / Fronts;
    for (const float *from = data.data(), *const end = from + length; from != end; from += 8 / Fronts * width)
      unrolled<8>(
          [&](auto k) { sums[k] += lanes::load_aligned(from + k % Fronts * length + k / Fronts * width); });
    unrolled<8>([&](auto k) { total += sums[k]; });
    benchmark::DoNotOptimize(total);
  }

 public:
  reading(double bytes, int often)
      : data((static_cast<std::size_t>(bytes / 4) + 8 * width - 1) / (8 * width) * (8 * width)),
        times(often) {}
  void run() override {
    for (int t = 0; t < times; ++t) data.size() > 250'000 ? read<2>() : read<1>();
  }
  std::span<const float> output() const override { return {}; }
};

// Does as many multiply-adds as the work must, in twelve independent chains.
class multiply_adding final : public contender {
  static constexpr int chains = 12;
  long rounds;
  lanes sums[chains];

 public:
  explicit multiply_adding(double multiply_adds)
      : rounds(static_cast<long>(multiply_adds / (chains * width)) + 1) {
    for (lanes& s : sums) s = lanes(1.f);
  }
  void run() override {
    lanes s[chains];
    unrolled<chains>([&](auto k) { s[k] = sums[k]; });
    lanes a(0.5f), b(0.25f);
    benchmark::DoNotOptimize(a);
    benchmark::DoNotOptimize(b);
    for (long r = 0; r < rounds; ++r) unrolled<chains>([&](auto k) { s[k] = xsimd::fma(s[k], a, b); });
    unrolled<chains>([&](auto k) { sums[k] = s[k]; });
    benchmark::DoNotOptimize(sums);
  }
  std::span<const float> output() const override { return {}; }
};

// The same, and then the gates, which use the same units of the processor. Four vectors at once.
class computing final : public contender {
  static constexpr int chains = 4;
  multiply_adding products;
  long rounds;
  lanes values[chains];

 public:
  computing(double multiply_adds, double gates)
      : products(multiply_adds), rounds(static_cast<long>(gates / (chains * width)) + 1) {
    for (lanes& v : values) v = lanes(0.5f);
  }
  void run() override {
    products.run();
    lanes v[chains];
    unrolled<chains>([&](auto k) { v[k] = values[k]; });
    for (long r = 0; r < rounds; ++r) unrolled<chains>([&](auto k) { v[k] = sigmoid_of(v[k]); });
    unrolled<chains>([&](auto k) { values[k] = v[k]; });
    benchmark::DoNotOptimize(values);
  }
  std::span<const float> output() const override { return {}; }
};

// Steps of one row, one after the other: each reads its weights in serpentine order with one multiply-add for each
// vector of them, and its gates follow one another: a sum waits for the step before, a sigmoid for the sum, a
// tanh for the sigmoid. A step does ahead everything that does not need the state.
class stepping final : public contender {
  static constexpr int sums_at_once = 8, together = sums_at_once * width;  // numbers
  multiply_adding ahead;
  tenon::engine::memory<float> weights;
  std::ptrdiff_t early;  // the weights that do not need the state
  int steps, gates;      // vectors of gates in a step
  bool backwards = false;
  float state = 0.5f;

  template <int Sign>
  [[gnu::always_inline]] void read(std::ptrdiff_t first, std::ptrdiff_t last, lanes x,
                                   lanes (&sums)[sums_at_once]) const {
    const float* from = weights.data() + (Sign > 0 ? first : last - together);
    for (std::ptrdiff_t k = first; k < last; k += together, from += Sign * together)
      unrolled<sums_at_once>([&](auto i) __attribute__((always_inline)) {
        sums[i] = xsimd::fma(x, lanes::load_aligned(from + i * width), sums[i]);
      });
  }
  template <int Sign>
  void step() {
    const auto all = static_cast<std::ptrdiff_t>(weights.size());
    lanes sums[sums_at_once];
    unrolled<sums_at_once>([&](auto i) { sums[i] = lanes(0.f); });
    if constexpr (Sign > 0) read<Sign>(0, early, lanes(0.25f), sums);
    const lanes h(state);
    read<Sign>(early, all, h, sums);
    if constexpr (Sign < 0) read<Sign>(0, early, lanes(0.25f), sums);
    lanes others(0.f);
    for (int g = 2; g < gates; ++g) others += sigmoid_of(sums[1] + lanes(static_cast<float>(g)));
    const lanes sum =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    const lanes after = tanh_of(sigmoid_of(sum));
    benchmark::DoNotOptimize(others);
    state = after.get(0);
    benchmark::DoNotOptimize(state);
  }

 public:
  explicit stepping(const row& r)
      : ahead(r.multiply_adds - r.bytes_read / 4 * r.times_read),
        weights((static_cast<std::size_t>(r.bytes_read / 4) + together - 1) / together * together),
        early(static_cast<std::ptrdiff_t>(static_cast<double>(weights.size()) * (1 - r.waiting)) / together *
              together),
        steps(r.times_read),
        gates((static_cast<int>(r.gates / r.times_read) + width - 1) / width) {}
  void run() override {
    ahead.run();
    for (int t = 0; t < steps; ++t, backwards = !backwards) backwards ? step<-1>() : step<1>();
  }
  std::span<const float> output() const override { return {}; }
};

template <class Work>
bool enter_limits(const char* reads = "limit: reading the weights") {
  contest<Work>::enter(reads, 20, [](const Work& w) -> std::unique_ptr<contender> {
    return w.describe().bytes_read > 0
               ? std::make_unique<reading>(w.describe().bytes_read, w.describe().times_read)
               : nullptr;
  });
  contest<Work>::enter("limit: multiply-adds and gates", 22, [](const Work& w) -> std::unique_ptr<contender> {
    return w.describe().gates > 0
               ? std::make_unique<computing>(w.describe().multiply_adds, w.describe().gates)
               : nullptr;
  });
  contest<Work>::enter("limit: step after step", 23, [](const Work& w) -> std::unique_ptr<contender> {
    const row r = w.describe();
    return r.bytes_read > 0 && r.gates > 0 ? std::make_unique<stepping>(r) : nullptr;
  });
  return contest<Work>::enter("limit: multiply-adds", 21, [](const Work& w) -> std::unique_ptr<contender> {
    return w.describe().multiply_adds > 0 ? std::make_unique<multiply_adding>(w.describe().multiply_adds)
                                          : nullptr;
  });
}

}  // namespace bench
