// Layers without time: parameters, shapes, indices in a chain, residual connections, second outputs of
// attention.
#include "support/network.hpp"
#include <tenon/nn/activation.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/cell_step.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/position.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::test;

namespace {

template <class Layer>
using on_row = graph<"on_row", input<"x", features<8>>, node<"y", Layer, "x">, output<"y">>;
template <class Layer>
using on_steps = graph<"on_steps", input<"x", features<8>, steps<3>>, node<"y", Layer, "x">, output<"y">>;

constexpr const auto& plain = network_of<on_row<linear<3>>>;
static_assert(has_parameter(plain, "y.weight", 3, 8) && has_parameter(plain, "y.bias", 3, 0) &&
              plain.parameters.size == 2);
static_assert(has_edge(plain, plain.outputs[0], 3, -1));
static_assert(network_of<on_row<linear<3, no_bias>>>.parameters.size == 1 &&
              fits<on_row<linear<3, features<8>>>> && !fits<on_row<linear<3, features<7>>>>);
constexpr const auto& sequence = network_of<on_steps<linear<3>>>;
static_assert(has_edge(sequence, sequence.outputs[0], 3, 3), "a layer on a sequence works at every step");

constexpr const auto& chained =
    network_of<on_row<chain<linear<5>, activation::relu, dropout<0.5>, linear<2>>>>;
static_assert(has_parameter(chained, "y.0.weight", 5, 8) && has_parameter(chained, "y.3.bias", 2, 0) &&
              chained.parameters.size == 4);
static_assert(count(chained, operation_kind::dropout) == 1 && count(chained, operation_kind::apply) == 3 &&
              is_in_order(chained));
constexpr const auto& inner = network_of<on_row<chain<chain<linear<5>>, linear<2>>>>;
static_assert(has_parameter(inner, "y.0.0.weight", 5, 8) && has_parameter(inner, "y.1.weight", 2, 5));

constexpr const auto& around = network_of<on_steps<residual<linear<16>, activation::gelu, linear<8>>>>;
static_assert(has_edge(around, around.outputs[0], 8, 3) && has_parameter(around, "y.2.weight", 8, 16));
static_assert(!fits<on_row<residual<linear<4>>>>);

// A user's own equation is a layer: its symbols are its parameters.
struct gate : equations::symbols {
  static constexpr auto at(auto x) { return sigmoid(W<"g", 4>(x) + b<"g">) * W<"v">(x); }
};
constexpr const auto& own = network_of<on_row<gate>>;
static_assert(has_parameter(own, "y.W_g", 4, 8) && has_parameter(own, "y.W_v", 4, 8) &&
              has_parameter(own, "y.b_g", 4, 0));

using looked_up = graph<"looked_up", input<"x", token<6>, steps<3>>,
                        node<"y", embedding<9, 4, padding_idx<2>>, "x">, output<"y">>;
constexpr const auto& table = network_of<looked_up>;
static_assert(has_parameter(table, "y.weight", 9, 4) && has_edge(table, table.outputs[0], 4, 3) &&
              table.operations[0].skipped == 2);
static_assert(table.parameters[0].start.how == ir::initial::normal && table.parameters[0].padding == 2);

template <class Score>
using attending =
    graph<"attending", input<"query", features<8>>, input<"states", features<8>, steps<5>>,
          node<"context", attention<Score>, "query", "states">, output<"context">, output<"context.weights">>;
constexpr const auto& dotted = network_of<attending<score::dot>>;
static_assert(dotted.parameters.size == 0 && has_edge(dotted, dotted.outputs[0], 8, -1) &&
              has_edge(dotted, dotted.outputs[1], 1, 5));
constexpr const auto& general = network_of<attending<score::multiplicative>>;
static_assert(has_parameter(general, "context.score.W", 8, 8) && general.parameters.size == 1);
constexpr const auto& added = network_of<attending<score::additive<7>>>;
static_assert(has_parameter(added, "context.score.W", 7, 8) && has_parameter(added, "context.score.v", 1, 7));
static_assert(has_parameter(added, "context.score.b", 7, 0) && added.parameters.size == 4);
struct score_that_starts_alike : equations::symbols {
  static constexpr init::start starts[]{{"W", init::identity()}};
  static constexpr auto score(auto s, auto h) { return ir::dot(s, W<>(h)); }
};
static_assert(network_of<attending<score_that_starts_alike>>.parameters[0].start == init::identity());

// Options of parameters, for layers that have no other options.
using with_options_of_parameters =
    graph<"options", input<"query", features<8>>, input<"states", features<8>, steps<5>>,
          node<"placed", learned_positions<5, initialized<"weight", init::constant(2)>>, "states">,
          node<"context", attention<score::multiplicative, frozen>, "query", "placed">,
          node<"next", cell_step<cells::gru, hidden<8>, initialized<"weight_hh", init::orthogonal()>, frozen>,
               "query", "context">,
          output<"next">>;
constexpr const auto& optioned = network_of<with_options_of_parameters>;
constexpr const ir::parameter& parameter_called(const char* path) {
  for (const ir::parameter& p : optioned.parameters)
    if (p.path == path) return p;
  return optioned.parameters[0];
}
static_assert(parameter_called("placed.weight").start == init::constant(2) &&
              !parameter_called("placed.weight").frozen);
static_assert(parameter_called("context.score.W").frozen && parameter_called("next.bias_ih").frozen);
static_assert(parameter_called("next.weight_hh").start == init::orthogonal());

}  // namespace

TEST_CASE("layers are laid out at compile time") { CHECK(plain.parameters.size == 2); }
