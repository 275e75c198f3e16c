// Training, evaluation, streaming and differentiation on Thrust's device give the same results as on the CPU.
#include "backend/thrust/fenced.hpp"
#include "support/compare.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/engine/session/states_by_name.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

using tagger =
    graph<"tagger", input<"tokens", token<6>, steps<4>>, node<"embedded", embedding<6, 4>, "tokens">,
          node<"states", gru<5>, "embedded">, node<"logits", linear<2>, "states">, output<"logits">>;
template <class Backend>
using teacher = trainer<tagger, losses::cross_entropy<"logits">, optimizers::adam, batch<4>, on<Backend>>;

auto parities() {  // is the sum of the tokens so far odd?
  std::vector<std::vector<int>> tokens, targets;
  backend::random_stream random(1, 0);
  for (int n = 0; n < 24; ++n) {
    tokens.emplace_back();
    targets.emplace_back();
    for (int t = 0, sum = 0; t < 1 + n % 4; ++t) {
      tokens.back().push_back(static_cast<int>(random.below(6)));
      targets.back().push_back((sum += tokens.back().back()) % 2);
    }
  }
  return data_set(column<"tokens">(std::move(tokens)), column<"target">(std::move(targets)));
}

TEST_CASE("a trainer on a device learns what one on the CPU learns") {
  parameters<tagger> here(seed{1}), there(seed{1});
  teacher<backend::cpu> on_cpu(here);
  teacher<fenced> on_device(there);
  const auto expected =
      fit(on_cpu, parities(),
          {.epochs = 3, .validate = parities(), .metrics = {metric::accuracy{}}, .log = nullptr});
  const auto got =
      fit(on_device, parities(),
          {.epochs = 3, .validate = parities(), .metrics = {metric::accuracy{}}, .log = nullptr});
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(got.epochs[k].loss == doctest::Approx(expected.epochs[k].loss).epsilon(1e-4));
    CHECK(got.epochs[k].validation_loss == doctest::Approx(expected.epochs[k].validation_loss).epsilon(1e-4));
    CHECK(got.epochs[k].metrics[0] == expected.epochs[k].metrics[0]);
  }
  here.for_each([&](std::string_view path, auto v) {
    CAPTURE(std::string(path));
    there.for_each([&](std::string_view other, auto w) {
      for (std::size_t k = 0; k < v.size() && path == other; ++k)
        CHECK(std::abs(double(v.data()[k]) - double(w.data()[k])) < 1e-4);
    });
  });
}
TEST_CASE("clipping, and a loss that is not finite") {
  parameters<tagger> theta(seed{1});
  teacher<fenced> learner(theta);
  learner.max_norm = 1e-3;
  set_input<"tokens">(learner, std::vector<std::vector<int>>{{1, 2}, {3}});
  set_input<"target">(learner, std::vector<std::vector<int>>{{0, 1}, {1}});
  learner.step();
  CHECK(optimizers::global_norm(learner.gradients()) == doctest::Approx(1e-3).epsilon(1e-3));
  get<"states.bias_hh_l0">(theta)(1) = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(
      learner.step(), "the loss is nan at step 2; the first node with a value that is not finite is 'states'",
      training_error);
}

using echo = graph<"echo", input<"x", features<2>, steps<4>>, input<"h0", features<3>>,
                   node<"states", gru<3>, "x", "h0">, output<"states">>;
TEST_CASE("a stream on a device") {
  const parameters<echo> theta(seed{3});
  streaming<echo, batch<2>> here(theta);
  streaming<echo, batch<2>, on<fenced>> there(theta);
  const std::vector<float> start{1, 2, 3, 4, 5, 6};
  set_input<"h0">(here, start);
  set_input<"h0">(there, start);
  for (float x : {0.5f, -1.0f, 2.0f}) {
    const std::vector<float> given{x, 1, -x, 0};
    const auto y = here.step(given), z = there.step(given);
    for (int r = 0; r < 2; ++r)
      for (int k = 0; k < 3; ++k) CHECK(z(r, k) == doctest::Approx(y(r, k)).epsilon(1e-5));
  }
}

TEST_CASE("states of a stream cross, too") {
  const parameters<echo> theta(seed{3});
  streaming<echo, batch<3>> here(theta);
  streaming<echo, batch<3>, on<fenced>> there(theta);
  const auto try_with = [](auto& live) {
    set_input<"h0">(live, zeros{});
    live.step(std::vector<float>{1, 2, 3, 4, 5, 6});
    live.permute_rows(std::vector{2, 0, 0});
    live.step(std::vector<float>{0, 1, 1, 0, 1, 1});
    std::vector<float> all;
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) all.push_back(get_state<"states">(live)(r, k));
    set_state<"states">(live, std::vector<float>{1, 0, 1, 0, 0, 1, 1, 1, 0});
    const auto y = live.step(std::vector<float>{1, 1, 1, 1, 1, 1});
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) all.push_back(y(r, k));
    return all;
  };
  const auto expected = try_with(here), got = try_with(there);
  for (std::size_t k = 0; k < expected.size(); ++k)
    CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-5));
}

using line = graph<"line", input<"x", features<2>, steps<3>>, node<"y", linear<1>, "x">, output<"y">>;
TEST_CASE("other losses") {
  parameters<line> here(seed{4}), there(seed{4});
  trainer<line, losses::mse<"y">, optimizers::sgd, batch<2>> on_cpu(here);
  trainer<line, losses::mse<"y">, optimizers::sgd, batch<2>, on<fenced>> on_device(there);
  const std::vector<float> x{1, 2, 3, 4, 5, 6, 0, 1, 0, -1, 0, 2}, y{1, 0, 2, 3, -1, 0};
  const auto give = [&](auto& trainer) {
    set_input<"x">(trainer, view<const float>(x.data(), {2, 3, 2}, {6, 2, 1}), std::vector{3, 1});
    set_input<"target">(trainer, view<const float>(y.data(), {2, 3, 1}, {3, 1, 1}), std::vector{3, 1});
    return double(trainer.step());
  };
  for (int k = 0; k < 3; ++k) CHECK(give(on_device) == doctest::Approx(give(on_cpu)).epsilon(1e-5));
}

}  // namespace tenon::test
