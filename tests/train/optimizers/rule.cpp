// A user's own update rules: any elementwise equation, with its own states and numbers.
#include "tenon/train/optimizers/rule.hpp"

#include "support/compare.hpp"
#include "support/machines.hpp"
#include "tenon/train/optimizers/optimizer.hpp"

namespace tenon::test {

// Descent along the sign of the gradient (Riedmiller and Braun 1993, with one rate for all).
struct sign_descent {
  double rate = 0.1;

  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * sign(g)); }
  std::array<double, 1> constants(long) const { return {rate}; }
};

// Lion (Chen et al. 2023): the sign of an average that weighs the new gradient more than the average it keeps.
struct lion {
  double rate = 1e-2, beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1;

  static constexpr int states = 1;
  static constexpr auto update(auto w, auto g, auto mean, auto rate, auto beta1, auto beta2, auto decay) {
    return next(w - rate * (sign(beta1 * mean + (1 - beta1) * g) + decay * w),
                beta2 * mean + (1 - beta2) * g);
  }
  std::array<double, 4> constants(long) const { return {rate, beta1, beta2, weight_decay}; }
};

// The average of all gradients so far: `constants` reads the step.
struct averaged {
  static constexpr int states = 1;
  static constexpr auto update(auto w, auto g, auto total, auto share) {
    auto sum_of_all = total + g;
    return next(w - share * sum_of_all, sum_of_all);
  }
  std::array<double, 1> constants(long step) const { return {1 / static_cast<double>(step)}; }
};

struct no_states {
  static constexpr auto update(auto w, auto g) { return next(w - g); }
  std::array<double, 0> constants(long) const { return {}; }
};
struct takes_weight_only {
  static constexpr int states = 0;
  static constexpr auto update(auto w) { return next(w); }
  std::array<double, 0> constants(long) const { return {}; }
};

static_assert(concepts::UpdateRule<optimizers::sgd> && concepts::UpdateRule<optimizers::sgd_nesterov> &&
              concepts::UpdateRule<optimizers::adam> && concepts::UpdateRule<optimizers::adamw> &&
              concepts::UpdateRule<optimizers::adagrad> && concepts::UpdateRule<optimizers::adadelta> &&
              concepts::UpdateRule<optimizers::rmsprop>);
static_assert(concepts::UpdateRule<sign_descent> && concepts::UpdateRule<lion> &&
              concepts::UpdateRule<averaged>);
static_assert(!concepts::UpdateRule<no_states> && !concepts::UpdateRule<takes_weight_only> &&
              !concepts::UpdateRule<int>);

struct scale : equations::symbols {
  static constexpr auto at(auto x) { return x * vector<"w">; }
};
using three = graph<"three", input<"x", features<3>>, node<"scaled", scale, "x">, output<"scaled">>;

template <class M, class Rule>
struct descent {
  using T = typename M::scalar;
  typename M::template parameters<three> theta{zeros{}}, gradients{zeros{}};
  optimizer<Rule, three, T, typename M::backend> rule{};

  std::vector<double> step(const std::vector<double>& g) {
    std::vector<double> w;
    for (std::size_t k = 0; k < 3; ++k) get<"scaled.w">(gradients)(k) = T(g[k]);
    rule.update(theta, gradients);
    for (std::size_t k = 0; k < 3; ++k) w.push_back(double(get<"scaled.w">(theta)(k)));
    return w;
  }
};
void check_close(const std::vector<double>& got, const std::vector<double>& expected) {
  for (std::size_t k = 0; k < 3; ++k) CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-6));
}

TEST_CASE_TEMPLATE("epsilon stands beside the root of the corrected variance", M, oracle, processor) {
  // In the first step the corrected moments are g and g^2: a step is rate g / (|g| + epsilon).
  const double epsilon = optimizers::adam{}.epsilon, rate = optimizers::adam{}.learning_rate;
  const std::vector<double> g{epsilon, -4 * epsilon, 0.25 * epsilon};
  const std::vector<double> expected{-rate / 2, rate * 0.8, -rate * 0.2};
  check_close(descent<M, optimizers::adam>{}.step(g), expected);
  check_close(descent<M, optimizers::adamw>{}.step(g), expected);
  check_close(descent<M, optimizers::rmsprop>{}.step(g),  // its average begins at a hundredth of g^2
              {-0.01 * 1 / 1.1, 0.01 * 4 / 1.4, -0.01 * 0.25 / 1.025});
  descent<M, optimizers::adam> longer;
  for (int step = 0; step < 4; ++step) longer.step(g);
  check_close(longer.step(g), {5 * expected[0], 5 * expected[1], 5 * expected[2]});
}

TEST_CASE_TEMPLATE("a share of next to nothing is not that of a rounded number next to 1", M, oracle,
                   processor) {
  const std::vector<double> g{1, -2, 0.5};
  descent<M, optimizers::rmsprop> mean;
  mean.rule.rule = {.learning_rate = 0.01, .alpha = 0.9999, .epsilon = 1e-12};
  check_close(mean.step(g), {-1, 1, -1});  // the root of the mean is a hundredth of |g|
  descent<M, optimizers::adadelta> delta;
  delta.rule.rule = {.learning_rate = 1, .rho = 0.9999, .epsilon = 1e-8};
  std::vector<double> expected;
  for (const double x : g) expected.push_back(-1e-4 / std::sqrt(1e-4 * x * x + 1e-8) * x);
  check_close(delta.step(g), expected);
}

// The square of the first gradient is beyond the range of the type, that of the second is not.
template <class M, class Rule>
void check_large_gradients(Rule rule = {}) {
  CAPTURE(std::string(ir::type_name<Rule>().view()));
  using T = typename M::scalar;
  const double large = std::sqrt(double(std::numeric_limits<T>::max())) * 1e3;
  descent<M, Rule> d;
  d.rule.rule = rule;
  for (int step = 0; step < 5; ++step)
    for (const double w : d.step({step == 1 ? large : 1.0, large * 1e-6, -large})) CHECK(std::isfinite(w));
  const std::vector<double> before = d.step({1, 1, 1}), after = d.step({1, 1, 1});
  CHECK(before[0] == after[0]);
  CHECK(before[2] == after[2]);
}
TEST_CASE_TEMPLATE("weights stay finite whatever a finite gradient is", M, oracle, processor) {
  check_large_gradients<M, optimizers::adam>();
  check_large_gradients<M, optimizers::sparse_adam>();
  check_large_gradients<M, optimizers::adamw>(optimizers::adamw{.weight_decay = 0});
  check_large_gradients<M, optimizers::adagrad>();
  check_large_gradients<M, optimizers::adadelta>();
  check_large_gradients<M, optimizers::rmsprop>();
}

template <class M, class Rule>
std::string refusal(Rule rule) {
  descent<M, Rule> d;
  d.rule.rule = rule;
  try {
    d.step({1, 0, -1});
  } catch (const input_error& e) {
    for (int k = 0; k < 3; ++k) CHECK(get<"scaled.w">(d.theta)(k) == 0);
    return e.what();
  }
  return "";
}
TEST_CASE_TEMPLATE("numbers of a rule that would give no number are refused", M, oracle, processor) {
  const std::string least = sizeof(typename M::scalar) == 4 ? "1.18e-38" : "2.23e-308";
  const auto of_epsilon = [&](const char* rule, const char* got) {
    return "update rule 'optimizers::" + std::string(rule) + "': epsilon: expected " + least +
           " or more in each step, got " + got;
  };
  const double below = sizeof(typename M::scalar) == 4 ? 1e-39 : 1e-309;
  const char* const got = sizeof(typename M::scalar) == 4 ? "1e-39" : "1e-309";
  CHECK(refusal<M>(optimizers::adam{.epsilon = 0}) == of_epsilon("adam", "0"));
  CHECK(refusal<M>(optimizers::adamw{.epsilon = 0}) == of_epsilon("adamw", "0"));
  CHECK(refusal<M>(optimizers::sparse_adam{.epsilon = below}) == of_epsilon("sparse_adam", got));
  CHECK(refusal<M>(optimizers::adagrad{.epsilon = -1}) == of_epsilon("adagrad", "-1"));
  CHECK(refusal<M>(optimizers::adadelta{.epsilon = 0}) == of_epsilon("adadelta", "0"));
  CHECK(refusal<M>(optimizers::rmsprop{.epsilon = below}) == of_epsilon("rmsprop", got));
  CHECK(refusal<M>(optimizers::adam{.beta2 = 1}) == "beta2: expected a number from 0 to below 1, got 1");
  CHECK(refusal<M>(optimizers::adamw{.beta1 = 1}) == "beta1: expected a number from 0 to below 1, got 1");
  CHECK(refusal<M>(optimizers::sparse_adam{.beta2 = -0.5}) ==
        "beta2: expected a number from 0 to below 1, got -0.5");
  CHECK(refusal<M>(optimizers::adam{.beta1 = 0, .beta2 = 0}).empty());
}

// Where the gradient is 0 for ever, a rule that takes sparse gradients leaves the weight as it is; momentum and decay
// would go on changing it.
TEST_CASE("a rule takes sparse gradients as long as nothing moves a weight without a gradient") {
  for (const double momentum : {0.0, 0.5, 1.0})
    for (const double decay : {0.0, 0.5, 1.0}) {
      CAPTURE(momentum);
      CAPTURE(decay);
      const optimizers::sgd rule{.momentum = momentum, .weight_decay = decay};
      descent<oracle, optimizers::sgd> d;
      d.rule.rule = rule;
      const double moved = d.step({1, 1, 1})[0];
      CHECK(rule.takes_sparse() == (d.step({0, 0, 0})[0] == moved));
      CHECK(optimizers::adagrad{.weight_decay = decay}.takes_sparse() == (decay == 0));
      CHECK(optimizers::sparse_adam{}.takes_sparse());
    }
}

TEST_CASE_TEMPLATE("a rule without states", M, oracle, processor) {
  descent<M, sign_descent> d;
  check_close(d.step({3, -0.25, 0}), {-0.1, 0.1, 0});
  check_close(d.step({1e-3, 7, 0}), {-0.2, 0, 0});
}

TEST_CASE_TEMPLATE("a rule with a state", M, oracle, processor) {
  descent<M, lion> d;
  check_close(d.step({1, -1, 0}), {-0.01, 0.01, 0});
  // the average is 0.01 and -0.01: 0.9 of it against 0.1 of the new gradient decides
  const double decay = 0.1 * 0.01;
  check_close(d.step({-0.08, 0.1, 0}), {-0.01 - 0.01 * (1 - decay), 0.01 - 0.01 * (1 + decay), 0});
}

TEST_CASE_TEMPLATE("a rule whose numbers follow the step", M, oracle, processor) {
  descent<M, averaged> d;
  check_close(d.step({1, 2, 3}), {-1, -2, -3});
  check_close(d.step({0, 0, 1}), {-1.5, -3, -5});
  check_close(d.step({0.5, -2, 0}), {-2, -3, -5 - 4.0 / 3});
}

}  // namespace tenon::test
