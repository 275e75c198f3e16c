// The trainer learns; equal seeds give equal bits; it does not allocate, clips gradients, and refuses numbers that are not finite.
#include "tenon/train/trainer/trainer.hpp"

#include "support/allocations.hpp"
#include "support/compare.hpp"
#include "support/machines.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"

#include <cstring>
#include <set>

namespace tenon::test {
using namespace nn;

// Which of three tokens comes first? Something to learn with an embedding, two recurrent layers and dropout.
using first_token =
    graph<"first_token", input<"tokens", token<3>, steps<4>>, node<"embedded", embedding<3, 5>, "tokens">,
          node<"states", lstm<6, layers<2>, dropout<0.25>>, "embedded">,
          node<"logits", linear<3>, "states.final">, output<"logits">>;
constexpr int rows_of_task = 27;

void feed_task(auto& session, std::span<const int> rows) {
  int tokens[8 * 3], first[8];
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const int n = rows[r];
    tokens[3 * r] = first[r] = n / 9;
    tokens[3 * r + 1] = n / 3 % 3;
    tokens[3 * r + 2] = n % 3;
  }
  const auto count = static_cast<std::ptrdiff_t>(rows.size());
  set_input<"tokens">(session, view<const int>(tokens, {count, 3}, {3, 1}));
  set_input<"target">(session, view<const int>(first, {count}, {1}));
}

struct task {
  static int size() { return rows_of_task; }
  static void set_inputs(auto& session, std::span<const int> rows) { feed_task(session, rows); }
};

template <class Parameters>
bool same_bits(const Parameters& a, const Parameters& b) {
  return std::memcmp(a.data(), b.data(), sizeof(*a.data()) * Parameters::block_size) == 0;
}

struct training {
  parameters<first_token> theta{seed{1}};
  std::vector<double> losses;

  training(int epochs, seed dropped, seed order) {
    trainer<first_token, losses::cross_entropy<"logits">, optimizers::adam, batch<8>> t(
        theta, {.learning_rate = 0.02}, dropped);
    for (const reports::epoch& epoch : fit(t, task{}, {.epochs = epochs, .shuffle = order}).epochs)
      losses.push_back(epoch.loss);
    CHECK(t.steps() == 4 * epochs);
  }
};

TEST_CASE("the loss falls") {
  const training t(30, seed{2}, seed{3});
  CHECK(t.losses.front() > 0.8);
  CHECK(t.losses.back() < 0.1);
}

TEST_CASE("same seeds, same bits; dropout and order count") {
  const training a(2, seed{2}, seed{3}), b(2, seed{2}, seed{3}), other_dropout(2, seed{4}, seed{3}),
      other_order(2, seed{2}, seed{4});
  CHECK(same_bits(a.theta, b.theta));
  CHECK(a.losses == b.losses);
  CHECK(!same_bits(a.theta, other_dropout.theta));
  CHECK(!same_bits(a.theta, other_order.theta));
}

TEST_CASE("each step drops others") {
  parameters<first_token> theta(seed{1});
  trainer<first_token, losses::cross_entropy<"logits">, optimizers::adam, batch<8>> t(
      theta, {.learning_rate = 0}, seed{2});
  const int rows[]{0, 4, 8, 12, 16, 20, 24, 26};
  std::set<float> losses;  // nothing is learned: only dropout makes them differ
  for (int step = 0; step < 4; ++step) {
    feed_task(t, rows);
    losses.insert(t.step());
  }
  CHECK(losses.size() == 4);
}

TEST_CASE("a step does not allocate") {
  parameters<first_token> theta(seed{1});
  trainer<first_token, losses::cross_entropy<"logits">, optimizers::adam, batch<8>> t(theta);
  t.max_norm = 0.1;
  const int rows[]{0, 4, 8, 12, 16, 20, 24, 26};
  CHECK(allocations_of([] { engine::memory<float> counted(10); }) == 1);
  CHECK(allocations_of([&] {
          for (std::size_t n = 8; n > 4; --n) {
            feed_task(t, std::span(rows, n));
            t.step();
          }
        }) == 0);
}

TEST_CASE("training goes on from a state that was kept, to the bit") {
  parameters<first_token> theta(seed{1});
  trainer<first_token, losses::cross_entropy<"logits">, optimizers::adam, batch<8>> t(
      theta, {.learning_rate = 0.02}, seed{2});
  const int rows[]{0, 4, 8, 12, 16, 20, 24, 26};
  const auto steps = [&](int count) {
    for (int step = 0; step < count; ++step) {
      feed_task(t, rows);
      t.step();
    }
    return theta;
  };
  const auto second = steps(2);
  const auto kept = t.state();
  const auto fourth = steps(2);
  CHECK(!same_bits(second, fourth));
  t.optimizer().learning_rate = 1;
  steps(3);
  t.restore(kept);
  CHECK(same_bits(theta, second));
  CHECK(t.steps() == 2);
  CHECK(t.optimizer().learning_rate == 0.02);
  CHECK(same_bits(steps(2), fourth));  // same moments, same dropout
}

TEST_CASE("a state that comes back drops the gradients that were being accumulated") {
  parameters<first_token> theta(seed{1});
  trainer<first_token, losses::cross_entropy<"logits">, optimizers::adam, batch<8>> t(
      theta, {.learning_rate = 0.02}, seed{2});
  t.accumulate = 2;
  const int rows[]{0, 4, 8, 12, 16, 20, 24, 26}, others[]{1, 2, 3, 5, 6, 7, 9, 10};
  const auto kept = t.state();
  const auto update = [&] {
    for (int k = 0; k < 2; ++k) {
      feed_task(t, rows);
      t.step();
    }
    return theta;
  };
  const auto updated = update();
  t.restore(kept);
  feed_task(t, others);
  t.step();
  CHECK(t.pending() == 1);
  t.restore(kept);
  CHECK(t.pending() == 0);
  CHECK(same_bits(update(), updated));
  CHECK(t.steps() == 1);
}

TEST_CASE("a learning rate that is no rate is an error at the first step, and changes nothing") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  const std::pair<double, std::string> rates[]{
      {nan, "nan"}, {-nan, "nan"}, {inf, "inf"}, {-inf, "-inf"}, {-0.02, "-0.020000"}};
  for (const auto& [rate, shown] : rates) {
    parameters<first_token> theta(seed{1});
    const parameters<first_token> before = theta;
    trainer<first_token, losses::cross_entropy<"logits">, optimizers::adam, batch<8>> t(
        theta, {.learning_rate = rate}, seed{2});
    const int rows[]{0, 4, 8, 12, 16, 20, 24, 26};
    feed_task(t, rows);
    CHECK_THROWS_WITH_AS(t.step(),
                         ("learning_rate: expected a finite number, not below 0, got " + shown).c_str(),
                         input_error);
    CHECK(t.steps() == 0);
    CHECK(same_bits(theta, before));
    t.optimizer().learning_rate = 0.02;
    t.step();
    CHECK(t.steps() == 1);
    CHECK(!same_bits(theta, before));
  }
}
TEST_CASE("so is a limit of the gradients that is none") {
  parameters<first_token> theta(seed{1});
  const parameters<first_token> before = theta;
  trainer<first_token, losses::cross_entropy<"logits">, optimizers::adam, batch<8>> t(theta, {}, seed{2});
  const int rows[]{0, 4, 8, 12, 16, 20, 24, 26};
  feed_task(t, rows);
  for (double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    const std::string message = ": expected a limit of at least 0, got " + std::to_string(wrong);
    t.max_norm = wrong;
    CHECK_THROWS_WITH_AS(t.step(), ("max_norm" + message).c_str(), input_error);
    t.max_norm = 0;
    t.max_value = wrong;
    CHECK_THROWS_WITH_AS(t.step(), ("max_value" + message).c_str(), input_error);
    t.max_value = 0;
  }
  CHECK(t.steps() == 0);
  CHECK(same_bits(theta, before));
  t.step();
  CHECK(t.steps() == 1);
}
TEST_CASE("so is any number that makes others than numbers of weights") {
  const auto check = [](auto rule, const std::string& message) {
    parameters<first_token> theta(seed{1});
    const parameters<first_token> before = theta;
    trainer<first_token, losses::cross_entropy<"logits">, decltype(rule), batch<8>> t(theta, rule, seed{2});
    const int rows[]{0, 4, 8, 12, 16, 20, 24, 26};
    feed_task(t, rows);
    CHECK_THROWS_WITH_AS(t.step(), message.c_str(), input_error);
    CHECK(t.steps() == 0);
    CHECK(same_bits(theta, before));
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto of = [](const std::string& rule) {
    return "update rule 'optimizers::" + rule +
           "': a number that it computes with is not finite; look at what it was given";
  };
  check(optimizers::adam{.weight_decay = nan}, of("adam"));
  check(optimizers::adam{.beta1 = 1},
        "beta1: expected a number from 0 to below 1, got 1");  // divided by 1 - beta1
  check(optimizers::sgd{.momentum = nan}, of("sgd"));
  check(optimizers::sgd{.learning_rate = 1e39}, of("sgd"));  // more than a float holds
}

// --- a model whose numbers can be computed by hand ---------------------------------------------------------
struct root {
  static constexpr auto at(auto x) { return sqrt(x); }
};
using roots = graph<"roots", input<"x", features<2>>, node<"root", root, "x">,
                    node<"logits", linear<2>, "root">, output<"logits">>;
using roots_trainer = trainer<roots, losses::cross_entropy<"logits">, optimizers::sgd, batch<1>>;

float step_with(roots_trainer& t, float x0, float x1, int target) {
  const float x[]{x0, x1};
  const int targets[]{target};
  set_input<"x">(t, x);
  set_input<"target">(t, targets);
  return t.step();
}
std::string message_of(roots_trainer& t, float x0, float x1, int target) {
  try {
    step_with(t, x0, x1, target);
  } catch (const training_error& error) { return error.what(); }
  return "no error";
}

TEST_CASE("one step is loss, gradient and update") {
  parameters<roots> theta(zeros{});
  roots_trainer t(theta, {.learning_rate = 1});
  CHECK(step_with(t, 4, 9, 1) == doctest::Approx(std::log(2)).epsilon(1e-6));
  // softmax - onehot is (1/2, -1/2), the roots are 2 and 3
  const double expected[2][2]{{-1, -1.5}, {1, 1.5}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      CHECK(double(get<"logits.weight">(t.gradients())(i, j)) ==
            doctest::Approx(-expected[i][j]).epsilon(1e-6));
      CHECK(double(get<"logits.weight">(theta)(i, j)) == doctest::Approx(expected[i][j]).epsilon(1e-6));
    }
    CHECK(double(get<"logits.bias">(theta)(i)) == doctest::Approx(i == 0 ? -0.5 : 0.5).epsilon(1e-6));
  }
  CHECK(t.steps() == 1);
  // the next gradient starts from zero, not from the last one
  CHECK(step_with(t, 0, 0, 1) == doctest::Approx(std::log(1 + std::exp(-1))).epsilon(1e-6));
  CHECK(get<"logits.weight">(t.gradients())(0, 0) == 0);
}

TEST_CASE("clip bounds the norm of the gradient that is used") {
  parameters<roots> theta(zeros{});
  roots_trainer t(theta, {.learning_rate = 1});
  t.max_norm = 0.25;
  step_with(t, 4, 9, 1);
  CHECK(optimizers::global_norm(t.gradients()) == doctest::Approx(0.25).epsilon(1e-5));
  CHECK(optimizers::global_norm(theta) == doctest::Approx(0.25).epsilon(1e-5));
  CHECK(get<"logits.weight">(theta)(0, 1) / get<"logits.weight">(theta)(0, 0) ==
        doctest::Approx(1.5).epsilon(1e-5));
}

TEST_CASE("a loss that is not finite names the step and the first node, and changes nothing") {
  parameters<roots> theta(seed{1}), untroubled(seed{1});
  roots_trainer t(theta, {.learning_rate = 0.1, .momentum = 0.9}),
      u(untroubled, {.learning_rate = 0.1, .momentum = 0.9});
  step_with(t, 4, 9, 1);
  step_with(u, 4, 9, 1);
  CHECK(message_of(t, 4, -9, 0) ==
        "the loss is nan at step 2; the first node with a value that is not finite is 'root'");
  CHECK(same_bits(theta, untroubled));
  CHECK(t.steps() == 1);
  step_with(t, 1, 2, 0);
  step_with(u, 1, 2, 0);  // the training can continue
  CHECK(same_bits(theta, untroubled));
}

TEST_CASE("weights that are not finite are found at the node that uses them") {
  parameters<roots> theta(seed{1});
  roots_trainer t(theta);
  get<"logits.weight">(theta)(1, 0) = -std::numeric_limits<float>::infinity();
  CHECK(message_of(t, 1, 1, 0) == "no error");  // exp(-inf) is 0
  theta.initialize(seed{1});
  get<"logits.weight">(theta)(1, 0) = std::numeric_limits<float>::quiet_NaN();
  CHECK(message_of(t, 1, 1, 0) ==
        "the loss is nan at step 2; the first node with a value that is not finite is 'logits'");
}

TEST_CASE("an infinite loss of finite logits is the loss's own") {
  parameters<roots> theta(zeros{});
  roots_trainer t(theta);
  get<"logits.bias">(theta)(0) = 3e38f;
  get<"logits.bias">(theta)(1) = -3e38f;
  CHECK(message_of(t, 1, 1, 1) ==
        "the loss is inf at step 1; the first node with a value that is not finite is 'loss'");
}

// The root of a parameter: its slope at 0 is infinite, while the loss is finite.
struct learned_root : equations::symbols {
  static constexpr auto at(auto x) { return sqrt(x * vector<"w">); }
};
using steep = graph<"steep", input<"x", features<2>>, node<"logits", learned_root, "x">, output<"logits">>;

TEST_CASE("a gradient that is not finite is found where gradients are clipped") {
  parameters<steep> theta(zeros{});
  trainer<steep, losses::cross_entropy<"logits">, optimizers::sgd> t(theta);
  t.max_norm = 1;
  const float x[]{1, 1};
  const int target[]{0};
  set_input<"x">(t, x);
  set_input<"target">(t, target);
  CHECK_THROWS_WITH_AS(t.step(), "the norm of the gradients is inf at step 1", training_error);
  CHECK(same_bits(theta, parameters<steep>(zeros{})));
  CHECK(t.steps() == 0);
}

}  // namespace tenon::test
