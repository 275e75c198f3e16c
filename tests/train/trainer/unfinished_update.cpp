// A training that fails between two updates leaves the trainer as after the last one.
#include "tenon/train/trainer/unfinished_update.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"

#include <doctest/doctest.h>

#include <array>
#include <utility>

namespace tenon::test {
using namespace nn;

// The data breaks off in the second batch of an update, or the rule has no such update.
TEST_CASE("a training that fails within an update leaves no part of it to the next training") {
  using dropping = graph<"dropping", input<"x", features<3>>,
                         node<"logits", chain<dropout<0.5>, linear<2>>, "x">, output<"logits">>;
  using learner = trainer<dropping, losses::cross_entropy<"logits">, optimizers::adam, batch<2>>;
  struct gone {};
  const auto points = [](int breaks_at) {
    return data_set(column<"x">(10,
                                [=, calls = 0](int r) mutable {
                                  if (calls++ == breaks_at) throw gone{};
                                  return std::array<float, 3>{float(r), 1, 1};
                                }),
                    column<"target">(10, [](int r) { return r % 2; }));
  };
  const auto halving = [](const schedules::progress& p) { return 0.1 / double(p.step + 1); };
  for (const bool in_the_rule : {false, true}) {
    parameters<dropping> undisturbed(seed{1}), theta(seed{1});
    learner never_failed(undisturbed, {}, seed{3}), t(theta, {}, seed{3});
    never_failed.accumulate = t.accumulate = 2;
    const auto train_both = [&] {
      for (learner* each : {&never_failed, &t})
        fit(*each, points(-1), {.epochs = 1, .shuffle = seed{1}, .schedule = halving});
    };
    train_both();
    const long steps = t.steps();
    const double rate = t.optimizer().learning_rate;
    if (in_the_rule) t.optimizer().beta1 = 1;
    if (in_the_rule) CHECK_THROWS_AS(fit(t, points(-1), {.epochs = 1, .schedule = halving}), input_error);
    else CHECK_THROWS_AS(fit(t, points(3), {.epochs = 1, .schedule = halving}), gone);
    CHECK(t.steps() == steps);
    CHECK(t.pending() == 0);
    CHECK(t.optimizer().learning_rate == rate);
    t.optimizer().beta1 = never_failed.optimizer().beta1;
    train_both();
    CHECK(t.steps() == never_failed.steps());
    for (int k = 0; k < theta.block_size; ++k)
      CHECK(std::as_const(theta).data()[k] == std::as_const(undisturbed).data()[k]);
  }
}

}  // namespace tenon::test
