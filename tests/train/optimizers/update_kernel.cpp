// An update rule as kernels: which types are a rule, mistakes in one, and that a rule is one pass over the block.
#include "tenon/train/optimizers/update_kernel.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

namespace tenon::test {

// w' = w - rate g, with a state that does not affect w.
struct own_rule {
  double rate = 0.5;
  static constexpr int states = 1;
  static constexpr auto update(auto w, auto g, auto last, auto rate) { return next(w - rate * g, last + g); }
  std::array<double, 1> constants(long) const { return {rate}; }
};
struct forgets_its_state : own_rule {
  static constexpr auto update(auto w, auto g, auto, auto rate) { return next(w - rate * g); }
};
struct lacks_a_number : own_rule {
  std::array<double, 2> constants(long) const { return {rate, rate}; }
};
struct sums_weights : own_rule {
  static constexpr auto update(auto w, auto g, auto last, auto rate) {
    return next(w - rate * g / sum(w), last);
  }
};
struct has_no_states {
  static constexpr auto update(auto w, auto g) { return next(w - g); }
  std::array<double, 0> constants(long) const { return {}; }
};

static_assert(concepts::UpdateRule<own_rule> && concepts::UpdateRule<optimizers::sgd> &&
              concepts::UpdateRule<optimizers::adam>);
static_assert(!concepts::UpdateRule<int> && !concepts::UpdateRule<has_no_states>);

template <class Rule>
std::string wrong_with() {
  constexpr ir::problem wrong = engine::unfit_rule<Rule>::wrong;
  return std::string(wrong.rule.view());
}

TEST_CASE("what is wrong with a rule") {
  CHECK(wrong_with<own_rule>() == "");
  CHECK(wrong_with<optimizers::adam>() == "");
  CHECK(wrong_with<forgets_its_state>().ends_with("returns its new weight and each new state:"));
  static_assert(engine::unfit_rule<forgets_its_state>::wrong.expected == 2 &&
                engine::unfit_rule<forgets_its_state>::wrong.got == 1);
  CHECK(wrong_with<lacks_a_number>().ends_with("takes, behind its weight, gradient and states,"));
  static_assert(engine::unfit_rule<lacks_a_number>::wrong.expected == 2 &&
                engine::unfit_rule<lacks_a_number>::wrong.got == 1);
  CHECK(wrong_with<sums_weights>().find("is not elementwise") != std::string::npos);
}

// Weight, gradient and states are as wide as the block, numbers are single: a rule is one map over the wide operands, after maps of
// single numbers.
template <class Rule>
constexpr int passes() {
  using kernel = engine::update_kernel<Rule, engine::traced_width>;
  int wide = 0;
  for (const ir::kernel& k : kernel::value.kernels) {
    if (k.kind != ir::kernel_kind::map) return -1;
    if (k.width == engine::traced_width) ++wide;
  }
  return wide;
}
static_assert(passes<own_rule>() == 1 && passes<optimizers::sgd>() == 1 && passes<optimizers::adam>() == 1);
static_assert(engine::update_kernel<own_rule, 1>::states == 1 &&
              engine::update_kernel<own_rule, 1>::constants == 1);
static_assert(engine::update_kernel<optimizers::adam, 1>::states == 2 &&
              engine::update_kernel<optimizers::adam, 1>::constants == 5);

}  // namespace tenon::test
