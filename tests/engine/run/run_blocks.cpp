// Programs that run some steps at a time: convolutions whose windows are more than one block, against sums written out; maps on a backend
// of small blocks, against all steps at once.
#include "tenon/engine/run/run_blocks.hpp"

#include "support/graphs.hpp"
#include "support/images.hpp"
#include "support/map_kernels.hpp"
#include "tenon/backend/cpu/cpu.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/convolution.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace workshop {

// A backend of small blocks, which notes how many rows each map is given.
struct small_blocks : tenon::backend::reference {};
constexpr long numbers_in_block(small_blocks) { return 100; }
std::vector<int> rows_given;
template <class Kernel, class T>
void map(small_blocks, int steps, int rows, const tenon::backend::operand<const T>* loads,
         const tenon::backend::operand<T>* stores) {
  rows_given.push_back(steps * rows);
  map<Kernel>(tenon::backend::reference{}, steps, rows, loads, stores);
}

}  // namespace workshop

namespace tenon::test {
using namespace nn;

namespace {

// The first convolution is the operation that the session runs in blocks of this many windows.
template <class Session>
constexpr int windows_at_once = engine::memory_of<typename Session::plan>.operations[1].forward_block;

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = float(std::sin(0.7 * double(k)));
  return all;
}

}  // namespace

TEST_CASE("a sequence of more windows than one block") {
  constexpr int rows = 2, bound = 300, in = 2, channels = 40;
  using G = over_time<conv1d<channels, 3, padding<1>>, in, bound>;
  using session = inference<G, batch<rows>>;
  static_assert(windows_at_once<session> < bound / 2, "three blocks, the last one shorter");
  const std::vector<float> x = numbers(rows * bound * in);
  const std::vector<int> lengths{bound, 131};
  const parameters<G> theta(seed{3});
  session run;
  set_input<"x">(run, view<const float>(x.data(), {rows, bound, in}), lengths);
  run.run(theta);
  const auto y = get<"y">(run);
  const auto weight = get<"y.weight">(theta);
  const auto bias = get<"y.bias">(theta);
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < bound; ++t)
      for (int c = 0; c < channels; ++c) {
        double expected = double(bias(c));
        for (int k = 0; k < 3; ++k)
          for (int j = 0, from = t + k - 1; j < in && 0 <= from && from < lengths[std::size_t(r)]; ++j)
            expected += double(weight(c, k * in + j)) * double(x[std::size_t((r * bound + from) * in + j)]);
        REQUIRE(double(y(r, t, c)) ==
                doctest::Approx(t < lengths[std::size_t(r)] ? expected : 0).epsilon(1e-5));
      }
}

TEST_CASE("a grid of more lines than one block") {
  constexpr int height = 30, width = 20, channels = 40;
  using G = over_grid<conv2d<channels, 2, 3>, 1, height, width>;
  using session = inference<G>;
  static_assert(windows_at_once<session> < (height - 1) * (width - 2) / 2);
  const std::vector<float> x = numbers(height * width);
  const parameters<G> theta(seed{4});
  session run;
  set_input<"x">(run, x);
  run.run(theta);
  const auto y = get<"y">(run);
  const auto weight = get<"y.weight">(theta);
  const auto bias = get<"y.bias">(theta);
  for (int line = 0; line < height - 1; ++line)
    for (int place = 0; place < width - 2; ++place)
      for (int c = 0; c < channels; ++c) {
        double expected = double(bias(c));
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 3; ++j)
            expected += double(weight(c, 3 * i + j)) * double(x[std::size_t((line + i) * width + place + j)]);
        REQUIRE(double(y(0, line, place, c)) == doctest::Approx(expected).epsilon(1e-5));
      }
}

// Maps only: the second of them reads what the first stored of the same rows.
TEST_CASE("maps run on no more numbers at a time than a block has, and on each row once") {
  using softmax = softmax_step<5>::forward;
  constexpr int rows = 3, steps = 17, width = 5;
  static_assert(widest_map(softmax::value) == width);
  constexpr engine::program_counts counts{.inputs = softmax::value.equations.inputs.size,
                                          .outputs = softmax::value.equations.outputs.size,
                                          .buffers = softmax::value.buffers.size};
  std::vector<double> in[2], out[2][counts.outputs],
      buffers(std::size_t((counts.buffers + 1) * steps * rows * width));
  for (auto& x : in)
    for (int k = 0; k < steps * rows * width; ++k) x.push_back(std::sin(0.7 * k + double(&x - in)));
  workshop::rows_given.clear();
  for (int way = 0; way < 2; ++way) {
    engine::program_memory<double, counts> m{};
    m.batch = m.rows = rows;
    for (int i = 0; i < counts.inputs; ++i) m.in[i] = {in[i].data(), width, rows * width};
    for (int o = 0; o < counts.outputs; ++o) {
      const int size = softmax::value.equations.code[softmax::value.equations.outputs[o]].size;
      out[way][o].resize(std::size_t(steps * rows * size));
      m.out[o] = {out[way][o].data(), size, rows * size};
    }
    for (int b = 0; b < counts.buffers; ++b) m.buffers[b] = buffers.data() + b * steps * rows * width;
    if (way == 0) engine::run_all<softmax, workshop::small_blocks>(m, steps);
    else engine::run_phase<softmax, phase::before, backend::reference>(m, 0, steps);
  }
  int given = 0;
  for (const int some : workshop::rows_given) {
    CHECK(some * width <= 100);
    given += some;
  }
  CHECK(given == steps * rows * softmax::value.kernels.size);
  for (int o = 0; o < counts.outputs; ++o) CHECK(out[0][o] == out[1][o]);
}

// So wide that one step is a block: the gradient of what all steps read goes on from block to block.
struct scaled_by_row {
  static constexpr auto at(auto x, auto g) { return x * g; }
};
TEST_CASE("a sum over the steps of several blocks") {
  constexpr int rows = 3, bound = 5, width = 2801;
  static_assert(engine::detail::block_elements < rows * width);
  using G = graph<"scaled", input<"x", features<width>, steps<bound>>, input<"g", features<width>>,
                  node<"y", scaled_by_row, "x", "g">, output<"y">>;
  const std::vector<int> lengths{bound, 2, 1};
  const std::vector<float> x = numbers(rows * bound * width), g = numbers(rows * width);
  const parameters<G> theta{};
  parameters<G> gradients(zeros{});
  differentiation<G, void, batch<rows>, input_gradients> run;
  set_input<"x">(run, view<const float>(x.data(), {rows, bound, width}), lengths);
  set_input<"g">(run, g);
  run.forward(theta);
  const auto adjoint = [](std::size_t r, std::size_t t, std::size_t j) {
    return float(1 + r) - 0.5f * float(t) + 0.25f * float(j % 7);
  };
  tenon::detail::for_each_element<3>(output_adjoint<"y">(run),
                                     [&](float& dy, auto r, auto t, auto j) { dy = adjoint(r, t, j); });
  run.backward(theta, gradients);
  double worst = 0;
  tenon::detail::for_each_element<2>(input_gradient<"g">(run), [&](float got, auto r, auto j) {
    double expected = 0;
    for (std::size_t t = 0; int(t) < lengths[r]; ++t)
      expected += double(adjoint(r, t, j)) * double(x[(r * bound + t) * width + j]);
    worst = std::max(worst, std::abs(double(got) - expected));
  });
  CHECK(worst < 1e-5);
}

}  // namespace tenon::test
