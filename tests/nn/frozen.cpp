// frozen: parameters that a layer's options freeze get no gradient and cost no backward work, and training does not change them.
#include "support/crossed_cell.hpp"
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

template <class Embedding, class Cell>
using reading =
    graph<"reading", input<"words", token<9>, steps<5>>, node<"embedded", Embedding, "words">,
          node<"states", Cell, "embedded">, node<"logits", linear<3>, "states.final">, output<"logits">>;
using learning = reading<embedding<9, 4>, gru<6>>;
using still = reading<embedding<9, 4, frozen>, gru<6, frozen_parameters<"weight_ih*">>>;

TEST_CASE("frozen parameters stand behind the others, and do not count as learned") {
  using theta = parameters<still>;
  CHECK(theta::count() == parameters<learning>::count() - 9 * 4 - 18 * 4);
  CHECK(theta::learned_size == (theta::count() + 15) / 16 * 16);
  for (const parameter& p : theta::table) CHECK(p.frozen == (p.offset >= theta::learned_size));
}
TEST_CASE("the same numbers as without, but for their gradients, which are 0") {
  parameters<still, double> theta(seed{1}), gradients(zeros{});
  parameters<learning, double> same(seed{1}), others(zeros{});
  differentiation<still, losses::cross_entropy<"logits">, batch<4>, scalar_type<double>> run;
  differentiation<learning, losses::cross_entropy<"logits">, batch<4>, scalar_type<double>> other;
  const std::vector<int> words{1, 2, 3, 4, 5, 8, 7, 6, 5, 4, 0, 0, 1, 1, 2, 3, 3, 3, 3, 3},
      target{0, 1, 2, 0};
  const auto give = [&](auto& session) {
    set_input<"words">(session, view<const int>(words.data(), {4, 5}, {5, 1}));
    set_input<"target">(session, target);
  };
  give(run);
  give(other);
  CHECK(run.forward(theta) == doctest::Approx(other.forward(same)).epsilon(1e-12));
  run.backward(theta, gradients);
  other.backward(same, others);
  std::as_const(gradients).for_each([&](std::string_view path, auto v) {
    std::as_const(others).for_each([&](std::string_view name, auto w) {
      if (name != path) return;
      const bool is_frozen = path == "embedded.weight" || path == "states.weight_ih_l0";
      for (std::size_t k = 0; k < v.size(); ++k)
        CHECK(v.data()[k] == doctest::Approx(is_frozen ? 0 : w.data()[k]).epsilon(1e-10));
    });
  });
}
TEST_CASE("the backward program has no product for them") {
  using plan = differentiation<still, losses::cross_entropy<"logits">, batch<4>>::plan;
  int products = 0;
  for (int o = 0; o < plan::net.operations.size; ++o) {
    const operation_kind kind = plan::net.operations[o].kind;
    CHECK(plan::active.differentiated[o] == (kind != operation_kind::gather));
    if (kind == operation_kind::scan) products += plan::frozen_symbols(o) == 7u;  // W_r, W_z, W_n
  }
  CHECK(products == 1);
}
TEST_CASE("training leaves them as they are, whatever the rule does to all") {
  parameters<still> theta(seed{1});
  const parameters<still> before(seed{1});
  trainer<still, losses::cross_entropy<"logits">, optimizers::adamw, batch<2>> learner(
      theta, {.learning_rate = 0.1, .weight_decay = 0.5});
  const std::vector<int> words{1, 2, 3, 4, 5, 8, 7, 6, 5, 4}, target{0, 1};
  for (int step = 0; step < 3; ++step) {
    set_input<"words">(learner, view<const int>(words.data(), {2, 5}, {5, 1}));
    set_input<"target">(learner, target);
    learner.step();
  }
  const float* const now = std::as_const(theta).data();
  for (int k = 0; k < parameters<still>::block_size; ++k) {
    const bool has_changed = now[k] != before.data()[k];
    CHECK(has_changed == (k < parameters<still>::count()));
  }
}
// In a user's own cell, all matrices of an input are one product.
struct own_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto z = sigmoid(W<"z">(x) + U<"z">(h) + b<"z">);
    return (1 - z) * h + z * tanh(W<"n">(x) + U<"n">(h) + b<"n">);
  }
};
using own = over_time<recurrent<own_cell, hidden<3>, frozen_parameters<"W_*">, frozen_parameters<"b_z*">>, 2>;
static_assert(fits<own>);
static_assert(!fits<over_time<recurrent<own_cell, hidden<3>, frozen_parameters<"W_z*">>, 2>>,
              "half of a product");
TEST_CASE("the laws, of what is frozen in part; and of a layer, an equation and a graph with options") {
  check_laws<own>();
  check_laws<over_time<recurrent<crossed_cell, hidden<3>, frozen_parameters<"U*">>, 2>>();
  using inner = graph<"inner", input<"in", features<3>>, node<"a", linear<4>, "in">,
                      node<"b", linear<2>, "a">, output<"b">>;
  check_laws<single<
      chain<with_options<linear<3>, frozen>, activation::tanh, with_options<inner, frozen_parameters<"a.*">>>,
      2>>();
}
TEST_CASE("tied parameters are frozen together") {
  using tied = graph<"tied", input<"x", features<4>>, node<"a", linear<4, frozen>, "x">,
                     node<"b", linear<4>, "a">, output<"b">, tied<"b.weight", "a.weight">>;
  CHECK(parameters<tied>::count() == 4);  // b.bias
  for (const parameter& p : parameters<tied>::table) CHECK(p.frozen == (p.path != name("b.bias")));
}

}  // namespace tenon::test
