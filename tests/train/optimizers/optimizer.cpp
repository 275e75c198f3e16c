// Every update rule against PyTorch's optimiser of the same name, ten steps each, on both machines.
#include "tenon/train/optimizers/optimizer.hpp"

#include "support/compare.hpp"
#include "support/machines.hpp"
#include "tenon/backend/reference/numbers.hpp"
#include "tenon/nn/linear.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>

namespace tenon::test {
using namespace nn;

struct scale : equations::symbols {
  static constexpr auto at(auto x) { return x * vector<"w">; }
};
using nine = graph<"nine", input<"x", features<9>>, node<"scaled", scale, "x">, output<"scaled">>;

template <class M, class Rule>
void check_rule(const char* name, Rule rule, double tolerance) {
  using T = typename M::scalar;
  const golden::file f = golden::read("optimizers");
  const auto expected = shaped(f[name]), slopes = shaped(f["gradients"]);
  typename M::template parameters<nine> theta(zeros{}), gradients(zeros{});
  fill(get<"scaled.w">(theta), f["initial"]);
  optimizer<Rule, nine, T, typename M::backend> descent(rule);
  for (std::size_t step = 0; step < 10; ++step) {
    for (std::size_t k = 0; k < 9; ++k) get<"scaled.w">(gradients)(k) = T(slopes(step, k));
    descent.update(theta, gradients);
    CHECK(descent.step() == static_cast<long>(step) + 1);
    for (std::size_t k = 0; k < 9; ++k) {
      INFO(name, ", step ", step + 1, ", weight ", k);
      CHECK(std::abs(double(get<"scaled.w">(theta)(k)) - double(expected(step, k))) <=
            (step < 5 ? tolerance : 2 * tolerance));
    }
  }
}

// PyTorch's values are floats: 2e-7 is one unit in the last place of a number near 2, and each step rounds.
TEST_CASE_TEMPLATE("update rules agree with PyTorch", M, oracle, processor) {
  const double tolerance = 3e-7;
  check_rule<M>("sgd", optimizers::sgd{.learning_rate = 0.1}, tolerance);
  check_rule<M>("sgd_momentum", optimizers::sgd{.learning_rate = 0.1, .momentum = 0.9}, tolerance);
  check_rule<M>("sgd_nesterov",
                optimizers::sgd_nesterov{.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.01},
                tolerance);
  check_rule<M>("sgd_nesterov_plain", optimizers::sgd_nesterov{.learning_rate = 0.1, .momentum = 0.9},
                tolerance);
  check_rule<M>("sgd_decay", optimizers::sgd{.learning_rate = 0.1, .momentum = 0.5, .weight_decay = 0.1},
                tolerance);
  check_rule<M>("adam", optimizers::adam{.learning_rate = 0.01}, tolerance);
  check_rule<M>("adam_decay", optimizers::adam{.learning_rate = 0.01, .weight_decay = 0.1}, tolerance);
  check_rule<M>("adamw", optimizers::adamw{.learning_rate = 0.01, .weight_decay = 0.1}, tolerance);
  check_rule<M>("adagrad", optimizers::adagrad{.learning_rate = 0.01}, tolerance);
  check_rule<M>("adadelta", optimizers::adadelta{.learning_rate = 0.01}, tolerance);
  check_rule<M>("adadelta_lr1", optimizers::adadelta{.learning_rate = 1}, tolerance);
  check_rule<M>("rmsprop", optimizers::rmsprop{.learning_rate = 0.01}, tolerance);
  check_rule<M>("adagrad_decay", optimizers::adagrad{.learning_rate = 0.01, .weight_decay = 0.1}, tolerance);
  check_rule<M>("adadelta_decay", optimizers::adadelta{.learning_rate = 1, .weight_decay = 0.1}, tolerance);
  check_rule<M>("rmsprop_decay", optimizers::rmsprop{.learning_rate = 0.01, .weight_decay = 0.1}, tolerance);
}

TEST_CASE_TEMPLATE("weight decay of sgd and adam is a gradient of decay * w", M, oracle, processor) {
  using T = typename M::scalar;
  const auto after = [](auto rule, T gradient) {
    typename M::template parameters<nine> theta(zeros{}), gradients(zeros{});
    for (std::size_t k = 0; k < 9; ++k) {
      get<"scaled.w">(theta)(k) = T(0.5);
      get<"scaled.w">(gradients)(k) = gradient;
    }
    optimizer<decltype(rule), nine, T, typename M::backend> descent(rule);
    descent.update(theta, gradients);
    return double(get<"scaled.w">(theta)(4));
  };
  const double decayed = after(optimizers::sgd{.learning_rate = 0.5, .weight_decay = 0.25}, T(1));
  CHECK(decayed == doctest::Approx(after(optimizers::sgd{.learning_rate = 0.5}, T(1.125))).epsilon(1e-6));
  // Adam's first step is rate * sign(gradient): decay alone decides it here
  CHECK(after(optimizers::adam{.learning_rate = 0.01, .weight_decay = 0.1}, T(-0.01)) ==
        doctest::Approx(0.49).epsilon(1e-6));
  CHECK(after(optimizers::adam{.learning_rate = 0.01}, T(-0.01)) == doctest::Approx(0.51).epsilon(1e-6));
}

TEST_CASE("a new rate rules the next step") {
  parameters<nine> theta(zeros{}), gradients(zeros{});
  optimizer<optimizers::sgd, nine> descent(optimizers::sgd{.learning_rate = 1});
  get<"scaled.w">(gradients)(8) = 1;
  descent.update(theta, gradients);
  descent.rule.learning_rate = 0.5;
  descent.update(theta, gradients);
  CHECK(get<"scaled.w">(theta)(8) == -1.5f);
  CHECK(get<"scaled.w">(theta)(7) == 0);
}

// More parameters than the largest width of a value in an equation: the rule goes over the block in pieces.
TEST_CASE("a block of seventeen million parameters is updated from its first to its last") {
  using large = graph<"large", input<"x", features<4100>>, node<"y", linear<4100>, "x">, output<"y">>;
  static_assert(parameters<large>::block_size > ir::widest_value);
  parameters<large> theta(zeros{}), gradients(zeros{});
  std::fill_n(gradients.data(), parameters<large>::block_size, 2.0f);
  optimizer<optimizers::sgd, large> descent(optimizers::sgd{.learning_rate = 0.5, .momentum = 0.5});
  descent.update(theta, gradients);
  descent.update(theta, gradients);  // velocity 2, then 3
  const auto b = get<"y.bias">(theta);
  const auto w = get<"y.weight">(theta);
  long wrong = 0;
  for (std::size_t k = 0; k < w.size(); ++k) wrong += w.data()[k] != -2.5f;
  for (std::size_t k = 0; k < b.size(); ++k) wrong += b.data()[k] != -2.5f;
  CHECK(w.size() + b.size() == 4100u * 4101u);
  CHECK(wrong == 0);
}

// The reference's kernels behind a memory of their own, to which weights, gradients and the numbers of each step are copied.
struct apart : backend::reference {};
void* allocate(apart, std::size_t bytes) { return ::operator new(bytes); }
void release(apart, void* start) { ::operator delete(start); }
void copy_in(apart, const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy_out(apart, const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
template <class T>
void set_all(apart, std::ptrdiff_t count, T value, T* out) {
  std::fill_n(out, count, value);
}
static_assert(backend::HasOwnMemory<apart> && !backend::HasOwnMemory<backend::reference>);

template <class Rule>
void check_memory_of_its_own(Rule rule) {
  CAPTURE(std::string(ir::type_name<Rule>().view()));
  parameters<nine, double> here(seed{3}), there(seed{3}), gradients(zeros{});
  optimizer<Rule, nine, double, backend::reference> near(rule);
  optimizer<Rule, nine, double, apart> far(rule);
  for (int step = 0; step < 5; ++step) {
    for (std::size_t k = 0; k < 9; ++k)
      get<"scaled.w">(gradients)(k) = std::sin(double(7 * step) + double(k));
    near.update(here, gradients);
    far.update(there, gradients);
    for (std::size_t k = 0; k < 9; ++k) CHECK(get<"scaled.w">(there)(k) == get<"scaled.w">(here)(k));
  }
}
TEST_CASE("a backend with memory of its own takes the same steps, with the numbers of each") {
  check_memory_of_its_own(optimizers::sgd{.learning_rate = 0.1, .momentum = 0.9});
  check_memory_of_its_own(optimizers::adam{.learning_rate = 0.01});
  check_memory_of_its_own(optimizers::adamw{.learning_rate = 0.01, .weight_decay = 0.1});
}

}  // namespace tenon::test
