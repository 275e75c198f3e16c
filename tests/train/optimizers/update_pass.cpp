// An update rule over pieces of a block, against a loop over single weights in double: elements in a piece change according to the rule,
// with the states of their own weights, and no others change.
#include "tenon/train/optimizers/update_pass.hpp"

#include "support/machines.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace tenon::test {

// Two states that differ, and numbers that depend on the step.
struct two_memories {
  double rate = 0.25;
  static constexpr int states = 2;
  static constexpr auto update(auto w, auto g, auto sum, auto last, auto rate, auto decay) {
    return next(w - rate * (g + decay * sum) + 2 * last, sum + g, w);
  }
  std::array<double, 2> constants(long step) const { return {rate / static_cast<double>(step), 0.5}; }
};
// No state; its single numbers are computed with each other first.
struct one_number {
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto a, auto b) { return next(w - a / b * g); }
  std::array<double, 2> constants(long) const { return {3, 4}; }
};

static_assert(engine::constants_of<two_memories> == 2 && engine::constants_of<one_number> == 2 &&
              engine::constants_of<optimizers::adam> == 5);

using pieces = std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>>;  // first element, how many

constexpr std::ptrdiff_t size = 101;
// Pieces of different lengths, some shorter than a register and some longer, with gaps; one is empty.
const pieces some{{0, 1}, {2, 3}, {7, 0}, {8, 16}, {25, 33}, {90, 11}};

template <class M, class Rule>
struct block_of {
  using T = typename M::scalar;
  std::vector<T> weights = std::vector<T>(size), gradients = weights;
  std::vector<T> states = std::vector<T>(std::size_t(size) * Rule::states + 1);

  block_of() {
    for (std::size_t k = 0; k < std::size_t(size); ++k) {
      weights[k] = T(std::sin(double(k)));
      gradients[k] = T(std::cos(3 * double(k)));
    }
    for (std::size_t k = 0; k < states.size(); ++k) states[k] = T(double(k % 17) / 16);
  }
  // The states that are kept are those of elements from `first` on.
  void update(const Rule& rule, long step, const pieces& over, std::ptrdiff_t first = 0,
              std::ptrdiff_t kept = size) {
    T constants[engine::constants_of<Rule> + 1];
    engine::find_constants(rule, step, constants);
    engine::update_pieces<Rule, typename M::backend>(
        engine::updated_block<T>{weights.data(), gradients.data(), states.data(), first, kept}, constants,
        nullptr, [&](auto f) {
          for (const auto& [from, count] : over) f(from, count);
        });
  }
};

TEST_CASE_TEMPLATE("each weight of a piece, and no other", M, oracle, processor) {
  using T = typename M::scalar;
  const T tolerance = 8 * std::numeric_limits<T>::epsilon();
  block_of<M, two_memories> block;
  const block_of<M, two_memories> before;
  std::vector<bool> is_in(size);
  for (const auto& [from, count] : some)
    for (std::ptrdiff_t k = from; k < from + count; ++k) is_in[std::size_t(k)] = true;
  std::vector<double> weight(before.weights.begin(), before.weights.end()), sum(size), last(size);
  for (std::size_t k = 0; k < std::size_t(size); ++k) {
    sum[k] = double(before.states[k]);
    last[k] = double(before.states[std::size_t(size) + k]);
  }
  for (long step = 1; step <= 3; ++step) {
    block.update({}, step, some);
    for (std::size_t k = 0; k < std::size_t(size); ++k) {
      if (!is_in[k]) continue;
      const double w = weight[k], g = double(before.gradients[k]);
      weight[k] = w - 0.25 / double(step) * (g + 0.5 * sum[k]) + 2 * last[k];
      sum[k] += g;
      last[k] = w;
    }
  }
  for (std::size_t k = 0; k < std::size_t(size); ++k) {
    INFO("weight ", k);
    CHECK(block.gradients[k] == before.gradients[k]);
    if (is_in[k]) {
      CHECK(std::abs(double(block.weights[k]) - weight[k]) <= 16 * double(tolerance));
      CHECK(std::abs(double(block.states[k]) - sum[k]) <= 16 * double(tolerance));
      CHECK(std::abs(double(block.states[std::size_t(size) + k]) - last[k]) <= 16 * double(tolerance));
    } else {
      CHECK(block.weights[k] == before.weights[k]);
      CHECK(block.states[k] == before.states[k]);
      CHECK(block.states[std::size_t(size) + k] == before.states[std::size_t(size) + k]);
    }
  }
  CHECK(block.states.back() == before.states.back());
}

// The pieces must not change the results.
TEST_CASE_TEMPLATE("a block in pieces is the block as one, to the bit", M, oracle, processor) {
  block_of<M, two_memories> whole, cut;
  whole.update({}, 2, {{0, size}});
  cut.update({}, 2, {{64, 37}, {0, 5}, {5, 59}});
  CHECK(whole.weights == cut.weights);
  CHECK(whole.states == cut.states);
}

// As a rank keeps them: of its slice alone.
TEST_CASE_TEMPLATE("states of some elements alone, to the bit", M, oracle, processor) {
  constexpr std::ptrdiff_t first = 24, kept = 40;
  block_of<M, two_memories> whole, own;
  for (std::ptrdiff_t s = 0; s < 2; ++s)
    for (std::ptrdiff_t k = 0; k < kept; ++k)
      own.states[std::size_t(s * kept + k)] = whole.states[std::size_t(s * size + first + k)];
  const pieces slice{{first, 7}, {first + 9, kept - 9}};
  whole.update({}, 2, slice);
  own.update({}, 2, slice, first, kept);
  CHECK(whole.weights == own.weights);
  for (std::ptrdiff_t s = 0; s < 2; ++s)
    for (std::ptrdiff_t k = 0; k < kept; ++k)
      CHECK(own.states[std::size_t(s * kept + k)] == whole.states[std::size_t(s * size + first + k)]);
}

TEST_CASE_TEMPLATE("a rule without states, whose single numbers meet", M, oracle, processor) {
  using T = typename M::scalar;
  block_of<M, one_number> block;
  const block_of<M, one_number> before;
  block.update({}, 1, {{0, size}});
  for (std::size_t k = 0; k < std::size_t(size); ++k)
    CHECK(std::abs(block.weights[k] - (before.weights[k] - T(0.75) * before.gradients[k])) <=
          4 * std::numeric_limits<T>::epsilon());
}

TEST_CASE("a number that is not finite is refused") {
  float numbers[engine::constants_of<two_memories> + 1];
  CHECK_THROWS_AS(engine::find_constants(two_memories{1e300}, 1, numbers), input_error);  // as a float
  double wider[engine::constants_of<two_memories> + 1];
  CHECK_NOTHROW(engine::find_constants(two_memories{1e300}, 1, wider));
  engine::find_constants(two_memories{}, 4, wider);
  CHECK(wider[0] == 0.0625);
  CHECK(wider[1] == 0.5);
}

}  // namespace tenon::test
