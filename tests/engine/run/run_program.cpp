// The kernels of a schedule by phase, the sums of a loop, and a row of a batch as a batch of its own: in a program that runs on one
// sequence after the other, against one that runs step by step on all.
#include "tenon/engine/run/run_program.hpp"

#include "support/laws.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::engine::detail {

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

}  // namespace tenon::engine::detail

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
