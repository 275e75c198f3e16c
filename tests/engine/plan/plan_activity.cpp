// Which operations run backward, and which edges have an adjoint: those between the loss and learned parameters.
#include "tenon/engine/plan/plan_activity.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

using engine::purpose;

template <class Plan>
constexpr int edge_of(const char* path) {
  for (int e = 0; e < Plan::net.edges.size; ++e)
    if (Plan::net.edges[e].path == ir::name(path)) return Plan::net.owner(e);
  return -1;
}
template <class Plan>
constexpr int maker_of(const char* path) {
  for (int o = 0; o < Plan::net.operations.size; ++o)
    if (Plan::net.owner(Plan::net.operations[o].out[0]) == edge_of<Plan>(path)) return o;
  return -1;
}

// A frozen table, a layer on it that learns, and an output beside the one that has a loss.
using two_ends = graph<"two_ends", input<"t", token<9>>, node<"e", embedding<9, 4, frozen>, "t">,
                       node<"h", linear<5>, "e">, node<"y", linear<3>, "h">, node<"z", linear<2>, "h">,
                       output<"y">, output<"z">>;
using learning = engine::plan_of<two_ends, losses::cross_entropy<"y">, purpose::differentiation>;
constexpr int e = maker_of<learning>("e"), h = maker_of<learning>("h"), y = maker_of<learning>("y"),
              z = maker_of<learning>("z");
static_assert(e >= 0 && h >= 0 && y >= 0 && z >= 0);
static_assert(learning::active.alive[e] && learning::active.alive[z],
              "outputs are made, with a loss or without");
static_assert(!learning::active.differentiated[e], "nobody learns there");
static_assert(learning::active.differentiated[h] && learning::active.differentiated[y]);
static_assert(!learning::active.differentiated[z], "the loss does not depend on it");
static_assert(!learning::active.has_adjoint[edge_of<learning>("e")] &&
              learning::active.has_adjoint[edge_of<learning>("h")]);
static_assert(!learning::active.has_adjoint[edge_of<learning>("z")]);

// Without a loss all outputs have adjoints, which the caller gives; inputs have them on request.
using given = engine::plan_of<two_ends, void, purpose::differentiation>;
static_assert(given::active.has_adjoint[edge_of<given>("y")] &&
              given::active.has_adjoint[edge_of<given>("z")]);
using plain = graph<"plain", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
using for_inputs = engine::plan_of<plain, void, purpose::differentiation, input_gradients>;
using for_weights = engine::plan_of<plain, void, purpose::differentiation>;
static_assert(for_inputs::active.has_adjoint[edge_of<for_inputs>("x")]);
static_assert(!for_weights::active.has_adjoint[edge_of<for_weights>("x")]);

// A stream along two axes, each step of which sees all earlier ones, is as long as the shorter axis.
template <int First, int Second>
using side_by_side =
    graph<"side by side", input<"x", features<4>, steps<First, "left">>,
          input<"z", features<4>, steps<Second, "right">>, node<"a", multi_head<4, 2, is_causal>, "x">,
          node<"b", multi_head<4, 2, is_causal>, "z">, output<"a">, output<"b">>;
template <int First, int Second>
constexpr int most_steps = engine::plan_of<side_by_side<First, Second>, void, purpose::streaming>::most_steps;
static_assert(most_steps<5, 9> == 5 && most_steps<9, 5> == 5);

// What is read: by an operation that runs, or by the caller.
using unread = graph<"unread", input<"x", features<3>, steps<5>>, node<"h", gru<4>, "x">,
                     node<"y", linear<2>, "h">, output<"y">>;
using reading = engine::plan_of<unread, void, purpose::inference>;
static_assert(reading::active.is_read[edge_of<reading>("x")] &&
              reading::active.is_read[edge_of<reading>("h")] &&
              reading::active.is_read[edge_of<reading>("y")]);
static_assert(
    !reading::active.is_read[reading::net.owner(reading::net.operations[maker_of<reading>("h")].out[1])],
    "the last state");

// A stream begins if it computes something once: here what it sees of a sequence that is given whole.
using decoder =
    graph<"decoder", input<"x", features<2>, steps<5>>, input<"m", features<3>, steps<4, "source">>,
          node<"keys", linear<2>, "m">, node<"y", attention<score::dot>, "x", "keys">, output<"y">>;
static_assert(engine::plan_of<decoder, void, purpose::streaming>::begins &&
              !engine::plan_of<unread, void, purpose::streaming>::begins);

// An inference differentiates nothing.
using asking = engine::plan_of<two_ends, void, purpose::inference>;
static_assert(asking::active.alive[h] && !asking::active.differentiated[h]);

}  // namespace tenon::test
