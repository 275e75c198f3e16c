// Captured runs and steps give the same bits as others, on other batches than those that they were captured on: other tokens, lengths and
// targets, the next zeros of dropout, the next numbers of the update rule. In an emulation a captured step is kept as the kernels'
// arguments, as CUDA keeps them: a decision of the program that holds only for one batch would show on the next.
#include "tenon/engine/session/captured_runs.hpp"

#include "backend/cuda/captured.hpp"
#include "backend/thrust/fenced.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/optimizers/groups.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

TEST_CASE("steps of a training") {
  check_steps<fenced>(nothing);
  check_steps<backend::cuda>(nothing);
}
TEST_CASE("a captured trainer learns what one on the CPU learns") {
  const auto change = [](auto& learner, int) { learner.max_norm = 0.05; };
  const trained here = train<backend::cpu, losses::cross_entropy<"tags">>(change),
                there = train<fenced, losses::cross_entropy<"tags">, captured>(change);
  for (std::size_t n = 0; n < here.losses.size(); ++n)
    CHECK(there.losses[n] == doctest::Approx(here.losses[n]).epsilon(1e-3));
}
TEST_CASE("the rule's numbers, and limits of gradients, may change between steps") {
  const auto change = [](auto& learner, int n) {
    learner.optimizer().learning_rate = 0.1 / (1 + n);
    learner.max_norm = n % 2 == 0 ? 0.02 : 0;
    learner.max_value = n > 7 ? 0.01 : 0;
    if (n == 6) learner.groups({{"*.bias", {.rate_factor = 2}}, {"e.*", {.frozen = true}}});
  };
  check_steps<fenced>(change);
  check_steps<backend::cuda>(change);
}
TEST_CASE("what the program does with the parameters between steps is seen") {
  const auto change = [](auto& learner, int n) {
    if (n == 5) get<"tags.bias">(learner.theta())(1) = 2;
    if (n == 8) learner.average_decay = 0.5;
    if (n == 9) {
      const auto before = learner.state();
      learner.step();
      learner.restore(before);
    }
  };
  check_steps<fenced>(change);
}

TEST_CASE_TEMPLATE("a step whose loss is not finite changes nothing, and says where", Backend, fenced,
                   backend::cuda) {
  const auto try_it = [](auto& learner, auto& theta) {
    std::vector<float> all;
    const auto step = [&](int n) {
      const auto [words, tags] = batch_number(n, 4, 3);
      set_input<"words">(learner, words);
      set_input<"target">(learner, tags);
      all.push_back(learner.step());
    };
    for (int n = 0; n < 4; ++n) step(n);
    const float was = get<"s.bias_hh_l0">(theta)(1);
    get<"s.bias_hh_l0">(theta)(1) = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_WITH_AS(step(4),
                         "the loss is nan at step 5; the first node with a value that is not finite is 's'",
                         training_error);
    CHECK(learner.steps() == 4);
    for (int k = 0; k < 3; ++k) CHECK(std::isfinite(get<"tags.bias">(theta)(k)));
    get<"s.bias_hh_l0">(theta)(1) = was;
    for (int n = 4; n < 7; ++n) step(n);
    learner.max_norm = 1;
    step(7);
    step(8);
    all.insert(all.end(), theta.data(), theta.data() + theta.block_size);
    return all;
  };
  parameters<tagger> ours(seed{1}), theirs(seed{1});
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::adam, batch<4>, on<Backend>> ordinary(ours);
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::adam, batch<4>, on<Backend>, captured> as_one(
      theirs);
  CHECK(try_it(ordinary, ours) == try_it(as_one, theirs));
}
// Batches of several sizes that share updates, an average, clipping switched on and off; then an update with the remaining gradients.
template <class Backend, class... Options>
std::vector<double> accumulated() {
  parameters<tagger> theta(seed{1});
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::adam, batch<4>, on<Backend>, Options...> learner(
      theta, {.learning_rate = 0.1}, seed{3});
  learner.average_decay = 0.75;
  std::vector<double> all;
  for (int n = 0; n < 26; ++n) {
    learner.accumulate = n < 17 ? 3 : n < 20 ? 1 : 2;
    learner.max_norm = n / 6 % 2 == 1 ? 0.05 : 0;
    learner.max_value = n > 12 ? 0.04 : 0;
    if (n == 14) learner.groups({{"*.bias", {.rate_factor = 2, .max_norm = 0.01}}});
    const auto [words, tags] = batch_number(n, n % 5 == 4 ? 2 : 4, n % 3 == 0 ? 5 : 3);
    set_input<"words">(learner, words);
    set_input<"target">(learner, tags);
    all.push_back(learner.step());
    all.push_back(learner.loss());
    all.push_back(learner.pending());
    all.push_back(double(learner.steps()));
    if (n == 24) learner.update();
  }
  learner.update();
  learner.update();  // nothing is left
  all.push_back(double(learner.steps()));
  const parameters<tagger> average = learner.averaged();
  all.insert(all.end(), theta.data(), theta.data() + theta.block_size);
  all.insert(all.end(), average.data(), average.data() + average.block_size);
  if constexpr (sizeof...(Options) > 0) CHECK(learner.captured_shapes() >= 2);
  return all;
}
TEST_CASE("gradients of several batches, and an average of the parameters") {
  const std::vector<double> on_cpu = accumulated<backend::cpu>(), there = accumulated<fenced>();
  REQUIRE(there.size() == on_cpu.size());
  for (std::size_t k = 0; k < there.size(); ++k) CHECK(there[k] == doctest::Approx(on_cpu[k]).epsilon(2e-3));
  CHECK(accumulated<fenced, captured>() == there);
  CHECK(accumulated<backend::cuda>() == accumulated<backend::cuda, captured>());
}
TEST_CASE_TEMPLATE("a batch that fails leaves what was accumulated before it", Backend, fenced,
                   backend::cuda) {
  const auto try_it = [](auto& learner, auto& theta) {
    std::vector<double> all;
    const auto step = [&](int n) {
      const auto [words, tags] = batch_number(n, 4, 3);
      set_input<"words">(learner, words);
      set_input<"target">(learner, tags);
      all.push_back(learner.step());
    };
    learner.accumulate = 2;
    for (int n = 0; n < 7; ++n) step(n);
    CHECK((learner.pending() == 1 && learner.steps() == 3));
    const float was = get<"s.bias_hh_l0">(theta)(1);
    get<"s.bias_hh_l0">(theta)(1) = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_WITH_AS(step(7),
                         "the loss is nan at step 4; the first node with a value that is not finite is 's'",
                         training_error);
    CHECK((learner.pending() == 1 && learner.steps() == 3));
    get<"s.bias_hh_l0">(theta)(1) = was;
    learner.max_norm = 0.1;
    learner.update();  // uses its own numbers, not those of the batch that failed
    CHECK((learner.pending() == 0 && learner.steps() == 4));
    CHECK(get<"s.bias_hh_l0">(theta)(1) != was);
    for (int n = 7; n < 11; ++n) step(n);
    all.insert(all.end(), theta.data(), theta.data() + theta.block_size);
    return all;
  };
  parameters<tagger> here(seed{1}), ours(seed{1}), theirs(seed{1});
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::adam, batch<4>> on_cpu(here);
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::adam, batch<4>, on<Backend>> ordinary(ours);
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::adam, batch<4>, on<Backend>, captured> as_one(
      theirs);
  const auto expected = try_it(on_cpu, here), got = try_it(ordinary, ours);
  for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-3));
  CHECK(got == try_it(as_one, theirs));
}
template <class Backend, class... Options>
void check_norm_of_several() {
  using line = graph<"line", input<"x", features<1>>, node<"y", linear<1, no_bias>, "x">, output<"y">>;
  parameters<line> theta(zeros{});
  trainer<line, losses::mse<"y">, optimizers::sgd, batch<1>, on<Backend>, Options...> learner(
      theta, {.learning_rate = 1});
  learner.accumulate = 2;
  learner.max_norm = 1;
  const auto step = [&](float x, float y) {
    set_input<"x">(learner, std::vector{x});
    set_input<"target">(learner, std::vector{y});
    learner.step();
  };
  for (int n = 0; n < 6; ++n) step(1, 0);  // with a gradient of 0
  step(1, 0);
  CHECK_THROWS_WITH_AS(step(3e38f, 1), "the norm of the gradients is inf at step 4", training_error);
  CHECK(learner.steps() == 3);
  CHECK(get<"y.weight">(theta)(0, 0) == 0);
  step(1, 1);
  step(1, 1);  // starts again
  CHECK(learner.steps() == 4);
  CHECK(get<"y.weight">(theta)(0, 0) == doctest::Approx(1).epsilon(1e-5));  // a slope of 2, limited
}
TEST_CASE("a norm of several batches that is not finite is an error, and changes nothing") {
  check_norm_of_several<backend::cpu>();
  check_norm_of_several<fenced>();
  check_norm_of_several<fenced, captured>();
  check_norm_of_several<backend::cuda, captured>();
}

using encoder =
    graph<"encoder", input<"x", features<4>, steps<6>>, node<"a", transformer_encoder<4, 2, 5>, "x">,
          node<"c", chain<conv1d<3, 3>, activation::tanh>, "a">, node<"y", linear<2>, "c">, output<"y">>;
// Inputs [rows, 6, 4] whose rows have different lengths.
template <class Session>
void give_numbers(Session& session, int n, int rows, int longest) {
  std::vector<float> x;
  std::vector<int> lengths;
  for (int k = 0; k < rows * longest * 4; ++k) x.push_back(float(std::sin(0.3 * k + n)));
  for (int r = 0; r < rows; ++r) lengths.push_back(r == 0 ? longest : 3 + (n + r) % (longest - 2));
  set_input<"x">(session, view<const float>(x.data(), {rows, longest, 4}, {longest * 4, 4, 1}), lengths);
}
// Losses and parameters of steps on batches that give(session, n) sets.
template <class G, class Objective, class... Options>
std::vector<double> train_on(auto give) {
  parameters<G> theta(seed{4});
  trainer<G, Objective, optimizers::adam, batch<3>, on<fenced>, Options...> learner(theta);
  std::vector<double> all;
  for (int n = 0; n < 12; ++n) {
    give(learner, n);
    all.push_back(learner.step());
  }
  all.insert(all.end(), theta.data(), theta.data() + theta.block_size);
  if constexpr (sizeof...(Options) > 0) CHECK(learner.captured_shapes() >= 2);
  return all;
}
TEST_CASE("attention, convolution and a loss of numbers are captured, too") {
  const auto give = [](auto& learner, int n) {
    std::vector<float> x, y;
    const int longest = n % 3 == 0 ? 6 : 5;
    std::vector<int> lengths, windows;
    for (int r = 0; r < 3; ++r) {
      lengths.push_back(r == 0 ? longest : 3 + (n + r) % (longest - 2));
      windows.push_back(lengths.back() - 2);
    }
    for (int k = 0; k < 3 * 6 * 4; ++k) {
      x.push_back(float(std::sin(0.3 * k + n)));
      y.push_back(float(std::cos(k + n)));
    }
    set_input<"x">(learner, view<const float>(x.data(), {3, longest, 4}, {24, 4, 1}), lengths);
    set_input<"target">(learner, view<const float>(y.data(), {3, longest - 2, 2}, {8, 2, 1}), windows);
  };
  CHECK(train_on<encoder, losses::mse<"y">>(give) == train_on<encoder, losses::mse<"y">, captured>(give));
}
using translator =
    graph<"translator", input<"source", token<7>, steps<4, "source">>,
          input<"before", token<7>, steps<3, "target">>, node<"words", embedding<7, 4>, "source">,
          node<"read", gru<4>, "words">, node<"earlier", embedding<7, 4>, "before">,
          node<"written", gru<4>, "earlier", "read.final">,
          node<"context", attention<score::dot>, "written", "read">, node<"logits", linear<7>, "context">,
          output<"logits">>;
TEST_CASE("two axes with lengths of their own") {
  const auto give = [](auto& learner, int n) {
    std::vector<std::vector<int>> source(3), before(3), target(3);
    for (int r = 0; r < 3; ++r) {
      const int from = r == 0 ? 4 - n % 2 : 1 + (n + r) % 3, to = r == 1 ? 3 : 1 + (n + 2 * r) % 2;
      for (int t = 0; t < from; ++t) source[std::size_t(r)].push_back((n + r + t) % 7);
      for (int t = 0; t < to; ++t) {
        before[std::size_t(r)].push_back((n + 2 * t) % 7);
        target[std::size_t(r)].push_back((2 * n + r + t) % 7);
      }
    }
    set_input<"source">(learner, source);
    set_input<"before">(learner, before);
    set_input<"target">(learner, target);
  };
  CHECK(train_on<translator, losses::cross_entropy<"logits">>(give) ==
        train_on<translator, losses::cross_entropy<"logits">, captured>(give));
}

TEST_CASE("inference") {
  parameters<encoder> theta(seed{2});
  const auto run = [&](auto& model) {
    std::vector<float> all;
    for (int n = 0; n < 9; ++n) {
      give_numbers(model, n, n % 4 == 3 ? 2 : 3, n % 2 == 0 ? 6 : 5);
      if (n == 5) get<"y.bias">(theta)(0) = 3;  // weights must be packed again
      model.run(theta);
      const auto y = get<"y">(model);
      for (std::size_t r = 0; r < y.shape(0); ++r)
        for (std::size_t t = 0; t < y.shape(1); ++t) {
          all.push_back(y(r, t, 0));
          all.push_back(y(r, t, 1));
        }
    }
    get<"y.bias">(theta)(0) = 0;
    return all;
  };
  get<"y.bias">(theta)(0) = 0;
  inference<encoder, batch<3>, on<fenced>> there;
  inference<encoder, batch<3>, on<fenced>, captured> there_captured;
  inference<encoder, batch<3>, on<backend::cuda>> emulated;
  inference<encoder, batch<3>, on<backend::cuda>, captured> emulated_captured;
  CHECK(run(there) == run(there_captured));
  CHECK(there_captured.captured_shapes() == 3);
  CHECK(run(emulated) == run(emulated_captured));
}
TEST_CASE("more shapes than are kept") {
  using echo = graph<"echo", input<"x", features<1>, steps<150>>, node<"y", linear<1>, "x">, output<"y">>;
  const parameters<echo> theta(seed{1});
  inference<echo, on<fenced>, captured> model(theta);
  inference<echo, on<fenced>> ordinary(theta);
  for (int pass = 0; pass < 3; ++pass)
    for (int length = 1; length <= 150; ++length) {
      const std::vector<float> x(std::size_t(length), float(length + pass));
      const view<const float> given(x.data(), {1, length, 1}, {length, 1, 1});
      CHECK(model(given)(0, length - 1, 0) == ordinary(given)(0, length - 1, 0));
    }
  CHECK(model.captured_shapes() == 0);  // each shape was dropped before it came again
  for (int pass = 0; pass < 3; ++pass)
    for (int length = 1; length <= 20; ++length)
      model(view<const float>(std::vector<float>(20).data(), {1, length, 1}, {length, 1, 1}));
  CHECK(model.captured_shapes() == 20);
}

}  // namespace tenon::test
