// The kernels of a schedule by phase, the sums of a loop, and a row of a batch as a batch of its own: in a program that runs on one
// sequence after the other, against one that runs step by step on all.
#include "tenon/engine/run/run_program.hpp"

#include "support/laws.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

namespace tenon::inline v0_1::engine::detail {

namespace {

// Six kernels, in a list that has room for no more; only their kinds and phases matter.
struct six_kernels {
  static constexpr auto value = [] {
    ir::basic_schedule<ir::kept<6>> s;
    for (const kernel& k : {kernel{.kind = kernel_kind::matmul, .when = phase::before},
                            kernel{.kind = kernel_kind::map, .when = phase::loop},
                            kernel{.kind = kernel_kind::accumulate, .when = phase::loop},
                            kernel{.kind = kernel_kind::gradient_sum, .when = phase::after},
                            kernel{.kind = kernel_kind::pair_sums_over_time, .when = phase::loop},
                            kernel{.kind = kernel_kind::gradient_outer, .when = phase::after}})
      s.kernels.add(k);
    return s;
  }();
};
constexpr bool are(const auto& all, std::initializer_list<int> expected) {
  if (all.size != static_cast<int>(expected.size())) return false;
  int k = 0;
  for (int e : expected)
    if (all[k++] != e) return false;
  return true;
}

static_assert(kernels_in<six_kernels, phase::loop> == 3 && kernels_in<six_kernels, phase::once> == 0);
static_assert(are(kernels_of<six_kernels, phase::before>, {0}));
static_assert(are(kernels_of<six_kernels, phase::loop>, {1, 2, 4}));
static_assert(are(kernels_of<six_kernels, phase::after>, {3, 5}));
static_assert(are(loop_sums_of<six_kernels>, {2, 4}));
static_assert(is_product(kernel_kind::gradient_sum) && is_product(kernel_kind::matmul_transposed));
static_assert(!is_product(kernel_kind::map) && !is_product(kernel_kind::axis_sum));
static_assert(engine::steps_at_once<six_kernels> == 1);

}  // namespace

TEST_CASE("row r of a batch has its steps as rows") {
  std::vector<int> numbers;
  for (int k = 0; k < 24; ++k) numbers.push_back(k);  // [4 steps, 3 rows, 2]
  const operand<int> steps{numbers.data(), 2, 6};
  const operand<int> second = row_of(steps, 1);
  for (int t = 0; t < 4; ++t) CHECK(second.data[t * second.row] == 6 * t + 2);
  CHECK(second.step == 6);
  const operand<int> once = row_of(operand<int>{numbers.data(), 2, 0}, 2);  // the same at every step
  CHECK(*once.data == 4);
  CHECK(once.step == 0);
}

namespace {

// y = a b of two sequences; and the gradient of a matrix that a state was multiplied by, the second input.
constexpr int width = 3, state_size = 5;
struct product_of_two {
  static constexpr schedule value = [] {
    program p;
    for (short i = 0; i < 2; ++i) {
      p.inputs.add(width);
      p.varies.add(domain::rows);
      p.code.add({.code = opcode::input, .first = i, .size = width});
    }
    p.code.add({.code = opcode::multiply, .a = 0, .b = 1, .size = width});
    p.outputs.add(2);
    return make_schedule(p, {});
  }();
};
struct gradient_of_state {
  static constexpr schedule value = [] {
    program p;
    p.symbols.add({.letter = "U", .rows = width, .columns = state_size});
    for (short i = 0; i < 2; ++i) {
      p.inputs.add(i == 0 ? width : state_size);
      p.varies.add(domain::rows);
      p.code.add({.code = opcode::input, .first = i, .size = i == 0 ? width : state_size});
    }
    p.code.add({.code = opcode::copy, .a = 1, .size = state_size});
    p.outputs.add(2);
    p.effects.add(p.code.add({.code = opcode::gradient_outer, .a = 0, .b = 1, .first = 0}));
    return make_schedule(p, {carried_pair{1, 0}});
  }();
};
// What a phase does not read need not be set.
template <class Memory>
Memory not_set() {
  Memory m;
  std::memset(static_cast<void*>(&m), 0x7f, sizeof m);
  return m;
}

}  // namespace

TEST_CASE("each sequence runs up to its own length, and nothing is read that is not set") {
  constexpr int rows = 3, bound = 5;
  constexpr program_counts counts{.inputs = 2, .outputs = 1, .by_sequence = true};
  const int lengths[rows]{bound, 0, 3};
  std::vector<double> a(bound * rows * width), b(a.size()), y(a.size(), -1.0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    a[k] = static_cast<double>(k) - 7;
    b[k] = 0.5 * static_cast<double>(k % 11) + 1;
  }
  auto m = not_set<program_memory<double, counts>>();
  m.batch = m.rows = rows;
  m.lengths = lengths;
  m.inner_lengths = nullptr;
  m.inner_steps = 1;
  m.in[0] = {a.data(), width, rows * width};
  m.in[1] = {b.data(), width, rows * width};
  m.out[0] = {y.data(), width, rows * width};
  run_sequences<product_of_two, backend::cpu>(m, bound);
  for (int t = 0; t < bound; ++t)
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < width; ++j) {
        const auto k = static_cast<std::size_t>((t * rows + r) * width + j);
        CHECK(y[k] == (t < lengths[r] ? a[k] * b[k] : -1));
      }
}

// The states of a step that began with zeros add nothing to the gradient. They are not multiplied: here they are no numbers.
TEST_CASE("the step that began with states of zero is left out of the products with the states") {
  constexpr int rows = 2, bound = 7;
  constexpr program_counts counts{
      .inputs = 2, .outputs = 1, .symbols = 1, .kernels = gradient_of_state::value.kernels.size};
  std::vector<double> g(bound * rows * width), h(bound * rows * state_size);
  for (std::size_t k = 0; k < g.size(); ++k) g[k] = static_cast<double>(k % 13) - 5;
  for (const int zero_step : {-1, 0, bound - 1})
    for (const int first : {0, 2, bound - 1})
      for (const int steps : {0, 1, bound - first}) {
        CAPTURE(zero_step);
        CAPTURE(first);
        CAPTURE(steps);
        for (std::size_t k = 0; k < h.size(); ++k)
          h[k] = static_cast<int>(k) / (rows * state_size) == zero_step
                     ? std::numeric_limits<double>::quiet_NaN()
                     : 3 - static_cast<double>(k % 11);
        std::vector<double> gradient(width * state_size), expected(gradient.size());
        for (int t = first; t < first + steps; ++t)
          for (int r = 0; r < rows && t != zero_step; ++r)
            for (int n = 0; n < width; ++n)
              for (int k = 0; k < state_size; ++k)
                expected[static_cast<std::size_t>(n * state_size + k)] +=
                    g[static_cast<std::size_t>((t * rows + r) * width + n)] *
                    h[static_cast<std::size_t>((t * rows + r) * state_size + k)];
        program_memory<double, counts> m{};
        m.batch = m.rows = rows;
        m.in[0] = {g.data(), width, rows * width};
        m.in[1] = {h.data(), state_size, rows * state_size};
        m.gradients[0] = gradient.data();
        m.zero_step = zero_step;
        run_phase<gradient_of_state, phase::after, backend::reference>(m, first, steps);
        CHECK(gradient == expected);
      }
}

}  // namespace tenon::inline v0_1::engine::detail

namespace tenon::test {

namespace {

struct attending : equations::symbols {
  static constexpr auto at(auto x, auto m) {
    return sum<"source">(softmax<"source">(dot(W<"a", 5>(x), m)) * m);
  }
};

}  // namespace

TEST_CASE("one sequence after the other, with more steps than run at once, and rows that end early") {
  constexpr int rows = 3, bound = 83, inner = 11;
  using G =
      graph<"attending", input<"x", features<7>, steps<bound>>,
            input<"m", features<5>, steps<inner, "source">>, node<"y", attending, "x", "m">, output<"y">>;
  using program = processor::differentiation<G, void, batch<rows>, input_gradients>::plan::program_of<0>;
  static_assert(program::by_sequence);
  static_assert(engine::steps_at_once<program::forward_schedule> < bound / 2, "three blocks");
  trial<oracle, G, rows> step_by_step(7);
  trial<processor, G, rows> by_sequence(7);
  for (const std::vector<int>& lengths : {std::vector<int>(rows, bound), std::vector<int>{bound, 19, 1}}) {
    const sample<G> some(lengths, 1);
    check_near(step_by_step(some), by_sequence(some), 1e-5, 1e-4);
  }
}

}  // namespace tenon::test
