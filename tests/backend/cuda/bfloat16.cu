// Weights stored as bfloat16 on a GPU: products and an LSTM, against the reference in double, whose weights an
// oracle has rounded before. bfloat16.cpp beside this tests their logic without a GPU.
#include "support/bfloat16_oracle.hpp"
#include "support/worse.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/backend/reference/reference.hpp"
#include "tenon/engine/run/kernels/loop.hpp"
#include "tenon/engine/run/run_program.hpp"
#include "tenon/equation/trace_step.hpp"
#include "tenon/nn/cell/lstm.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace tenon::test {

using namespace tenon::ir;
using namespace tenon::engine;

using in_16_bits = backend::cuda_with<backend::bfloat16_weights>;

// Numbers in the memory of a backend's kernels.
template <class Backend, class T>
class numbers_for {
 public:
  explicit numbers_for(const std::vector<double>& given)
      : here_(given.begin(), given.end()), there_(given.size()) {
    backend::copy_to<Backend>(here_.data(), there_.data(), here_.size());
  }
  T* data() { return there_.data(); }
  std::vector<double> result() {
    backend::copy_from<Backend>(static_cast<const T*>(there_.data()), here_.data(), here_.size());
    return {here_.begin(), here_.end()};
  }

 private:
  std::vector<T> here_;
  backend::memory_for<T, Backend> there_;
};
std::vector<double> waves(int count, double phase) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(float(0.5 * std::sin(0.7 * i + phase)));
  return all;
}
std::vector<double> rounded(std::vector<double> numbers) {
  for (double& x : numbers) x = rounded_to_bfloat16(x);
  return numbers;
}
void check_close(const std::vector<double>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    largest = worse(largest, std::fabs(got[i] - expected[i]) / (1 + std::fabs(expected[i])));
  CHECK(largest <= 1e-5);
}

template <int N, int K, class Backend, class T>
std::vector<double> product_of(const std::vector<double>& weights, int rows) {
  numbers_for<Backend, T> w(weights), x(waves(rows * K, 1)), y(waves(rows * N, 2)),
      packed(std::vector<double>(std::size_t(packed_size<N, K>(Backend{}))));
  pack<N, K>(Backend{}, w.data(), packed.data());
  matmul<N, K>(Backend{}, rows, x.data(), K, packed.data(), y.data(), N);
  return y.result();
}
template <int N, int K>
void check_product(int rows) {
  check_close(product_of<N, K, in_16_bits, float>(waves(N * K, 0), rows),
              product_of<N, K, backend::reference, double>(rounded(waves(N * K, 0)), rows));
}
TEST_CASE("products on a GPU") {
  check_product<3, 5>(1);
  check_product<512, 100>(700);
}

constexpr int steps = 7, batch_rows = 3;
constexpr program step = group_products(trace_step<nn::cells::lstm>(5, 40).equations);
constexpr carried_pairs carried = [] {
  carried_pairs all;
  all.add({1, 1});
  all.add({2, 2});
  return all;
}();
struct in_kernels {
  static constexpr schedule value = make_schedule(step, carried);
};
struct in_stages {
  static constexpr schedule value =
      make_staged_schedule(step, carried, backend::limits_of_stages(backend::cuda{}, batch_rows), {});
};

// The states of all steps. The parameters are one block, so that those of a product are neighbours.
template <class Schedule, class Backend, class T, bool InOneKernel>
std::vector<double> states_of(const std::vector<double>& parameters) {
  constexpr program_counts counts{step.inputs.size, step.outputs.size, 64, step.symbols.size, 64};
  std::vector<std::unique_ptr<numbers_for<Backend, T>>> kept;
  const auto keep = [&](const std::vector<double>& numbers) {
    kept.push_back(std::make_unique<numbers_for<Backend, T>>(numbers));
    return kept.back()->data();
  };
  program_memory<T, counts> m{};
  m.batch = m.rows = batch_rows;
  const T* block = keep(parameters);
  for (int s = 0; s < step.symbols.size; block += step.symbols[s++].elements()) m.symbols[s] = block;
  m.in[0] = {keep(waves(steps * batch_rows * 5, 1)), 5, batch_rows * 5};
  for (int s = 1; s < step.inputs.size; ++s) {
    T* const slots = keep(waves((steps + 1) * batch_rows * 40, s));
    m.in[s] = {slots, 40, batch_rows * 40};
    m.out[s] = {slots + batch_rows * 40, 40, batch_rows * 40};
  }
  const std::size_t last_state = kept.size() - 1;
  m.out[0] = {keep(waves(steps * batch_rows * 40, 3)), 40, batch_rows * 40};
  for (const buffer& b : Schedule::value.buffers)
    m.buffers[&b - Schedule::value.buffers.begin()] =
        keep(std::vector<double>(std::size_t(b.width * batch_rows * steps)));
  repeat<Schedule::value.kernels.size>([&](auto k) {
    using packed = packed_parameters<Schedule, k, Backend>;
    if constexpr (constexpr long size = packed::size(); size > 0) {
      T* const to = keep(std::vector<double>(std::size_t(size)));
      packed::fill(m.symbols, to);
      m.packed[k] = to;
    }
  });
  run_phase<Schedule, phase::before, Backend>(m, 0, steps);
  if constexpr (InOneKernel) run_loop<Schedule, Backend>(m, {0, steps, false});
  else
    for (int t = 0; t < steps; ++t) run_phase<Schedule, phase::loop, Backend>(m, t, 1);
  return kept[last_state]->result();
}
TEST_CASE("an LSTM on a GPU, all steps in one kernel, and a kernel for each") {
  std::vector<double> all, all_rounded;
  for (const symbol& s : step.symbols) {
    const std::vector<double> mine = waves(s.elements(), static_cast<double>(all.size())),
                              stored = s.is_matrix() ? rounded(mine) : mine;
    all.insert(all.end(), mine.begin(), mine.end());
    all_rounded.insert(all_rounded.end(), stored.begin(), stored.end());
  }
  const std::vector<double> expected = states_of<in_kernels, backend::reference, double, false>(all_rounded);
  check_close(states_of<in_stages, in_16_bits, float, true>(all), expected);
  check_close(states_of<in_stages, in_16_bits, float, false>(all), expected);
}

}  // namespace tenon::test
