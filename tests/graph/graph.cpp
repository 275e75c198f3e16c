// Graphs: shapes of edges, names and shapes of parameters, nesting, ties, several inputs, second outputs,
// time axes.
#include "support/network.hpp"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/chain.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>
#include <tenon/nn/recurrent.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;
using namespace tenon::test;

namespace {

// --- the whole: the index lookup model ---------------------------------------------------------------------
using index_lookup = graph<"index_lookup", input<"tokens", token<10>, steps<10>>, input<"index", token<10>>,
                           node<"embedded", embedding<10, 128>, "tokens">,
                           node<"states", lstm<32, bidirectional, layers<2>>, "embedded">,
                           node<"query", chain<embedding<10, 128>, linear<64>>, "index">,
                           node<"context", attention<score::dot>, "query", "states">,
                           node<"logits", linear<10>, "context">, output<"logits">>;
static_assert(check<index_lookup>() && check<index_lookup, losses::cross_entropy<"logits">>());
constexpr const auto& s1 = network_of<index_lookup>;
static_assert(parameter_count(s1) == 1280 + 2 * 20736 + 2 * 12544 + 1280 + 8256 + 650, "by hand: 78,026");
static_assert(s1.parameter_elements == 78032, "a block ends on a cache line");
static_assert(has_parameter(s1, "embedded.weight", 10, 128) && has_parameter(s1, "query.0.weight", 10, 128));
static_assert(has_parameter(s1, "query.1.weight", 64, 128) && has_parameter(s1, "query.1.bias", 64, 0));
static_assert(has_parameter(s1, "states.weight_ih_l1_reverse", 128, 64) &&
              has_parameter(s1, "logits.weight", 10, 64));
static_assert(s1.inputs.size == 2 && s1.outputs.size == 1 && has_edge(s1, s1.outputs[0], 10, -1));
static_assert(s1.edges[s1.inputs[0]].range == 10 && s1.edges[s1.inputs[0]].is_sequence() &&
              !s1.edges[s1.inputs[1]].is_sequence());
static_assert(is_in_order(s1) && count(s1, operation_kind::scan) == 4 &&
              count(s1, operation_kind::gather) == 2);

// With an objective there is a target of the logits' range, and a loss.
constexpr const auto& trained = network_of<index_lookup, losses::cross_entropy<"logits">>;
static_assert(trained.inputs.size == 3 && trained.edges[trained.inputs[2]].range == 10 &&
              trained.losses.size == 1);
static_assert(parameter_count(trained) == parameter_count(s1));

// --- offsets: nothing overlaps, and there is a gap only at the end -----------------------------------------
constexpr bool is_packed(const auto& net) {
  int at = 0;
  for (const parameter& p : net.parameters) {
    if (p.tied_to >= 0) continue;
    if (p.offset != at) return false;
    at += p.elements();
  }
  return at <= net.parameter_elements && net.parameter_elements < at + builder::alignment;
}
static_assert(is_packed(s1));

// --- nested graphs -----------------------------------------------------------------------------------------
using encoder = graph<"encoder", input<"words", features<6>, steps<4>>, node<"states", gru<3>, "words">,
                      node<"wide", linear<5>, "states.final">, output<"wide">, output<"states">>;
using twice = graph<"twice", input<"tokens", token<7>, steps<4>>, node<"embedded", embedding<7, 6>, "tokens">,
                    node<"left", encoder, "embedded">, node<"right", encoder, "embedded">,
                    node<"joint", attention<score::multiplicative>, "left", "right.states">, output<"joint">,
                    output<"left.states">, output<"left.states.h_n">>;
static_assert(check<encoder>() && check<twice>());
constexpr const auto& nested = network_of<twice>;
static_assert(has_parameter(nested, "left.states.weight_ih_l0", 9, 6) &&
              has_parameter(nested, "right.wide.weight", 5, 3));
static_assert(!has_parameter(nested, "encoder.wide.weight", 5, 3), "a nested graph is named by its node");
static_assert(has_edge(nested, nested.outputs[0], 3, -1) && has_edge(nested, nested.outputs[1], 3, 4));
static_assert(has_edge(nested, nested.outputs[2], 3, -1) && is_in_order(nested) && is_packed(nested));
static_assert(nested.programs.size < nested.operations.size, "equal equations are kept once");

// --- ties --------------------------------------------------------------------------------------------------
struct sum_of_two {
  static constexpr auto at(auto x, auto y) { return x + y; }
};
using tied =
    graph<"tied", input<"token", token<9>>, node<"other", embedding<9, 4>, "token">,
          node<"embedded", embedding<9, 4>, "token">, node<"sum", sum_of_two, "other", "embedded">,
          node<"logits", linear<9>, "sum">, tied<"embedded.weight", "logits.weight">, output<"logits">>;
static_assert(check<tied>());
constexpr const auto& shared = network_of<tied>;
static_assert(shared.parameters[shared.find_parameter("logits.weight")].offset ==
              shared.parameters[shared.find_parameter("embedded.weight")].offset);
static_assert(parameter_count(shared) == 2 * 9 * 4 + 9 && is_packed(shared));

// With a `*`: two nodes of one graph type, all of its parameters or some.
template <class... Ties>
using towers = graph<"towers", input<"tokens", token<7>, steps<4>>,
                     node<"embedded", embedding<7, 6>, "tokens">, node<"left", encoder, "embedded">,
                     node<"right", encoder, "embedded">, Ties..., output<"left">, output<"right">>;
// The order of several ties does not matter: all tied parameters are in one place.
template <class... Ties>
using four = graph<"four", input<"x", features<4>>, node<"a", linear<4>, "x">, node<"b", linear<4>, "x">,
                   node<"c", linear<4>, "x">, node<"d", linear<4>, "x">, Ties..., output<"a">, output<"b">,
                   output<"c">, output<"d">>;
template <class G>
constexpr bool has_one_matrix() {
  const auto& net = network_of<G>;
  for (const ir::parameter& p : net.parameters)
    if (p.columns > 0 && p.offset != net.parameters[0].offset) return false;
  return parameter_count(net) == 16 + 4 * 4;
}
static_assert(parameter_count(network_of<towers<tenon::tied<"left.*", "right.*">>>) ==
              42 + (parameter_count(network_of<towers<>>) - 42) / 2);
static_assert(parameter_count(network_of<towers<tenon::tied<"right.*", "left.*">>>) ==
              42 + (parameter_count(network_of<towers<>>) - 42) / 2);
static_assert(parameter_count(network_of<towers<tenon::tied<"left.*.weight", "right.*.weight">>>) ==
              parameter_count(network_of<towers<>>) - 5 * 3);
static_assert(has_one_matrix<four<tenon::tied<"c.weight", "b.weight">, tenon::tied<"b.weight", "a.weight">,
                                  tenon::tied<"d.weight", "c.weight">>>());
static_assert(
    has_one_matrix<four<tenon::tied<"a.weight", "b.weight">, tenon::tied<"d.weight", "c.weight">,
                        tenon::tied<"c.weight", "b.weight">, tenon::tied<"b.weight", "a.weight">>>());
static_assert(
    parameter_count(
        network_of<four<tenon::tied<"a.*", "b.*">, tenon::tied<"b.*", "c.*">, tenon::tied<"c.*", "d.*">>>) ==
    16 + 4);

// --- time axes: inputs with one label share it -------------------------------------------------------------
using together =
    graph<"together", input<"a", features<2>, steps<5>>, input<"b", features<2>, steps<5>>,
          input<"c", features<2>, steps<8, "other">>, input<"row", features<2>>,
          node<"ab", sum_of_two, "a", "b">, node<"cr", sum_of_two, "c", "row">, output<"ab">, output<"cr">>;
static_assert(check<together>());
constexpr const auto& axes = network_of<together>;
static_assert(axes.axes.size == 2 && axes.edges[axes.inputs[0]].axis == axes.edges[axes.inputs[1]].axis);
static_assert(has_edge(axes, axes.outputs[0], 2, 5) && has_edge(axes, axes.outputs[1], 2, 8));
static_assert(axes.programs.size == 2, "one with a row that is the same at each step, one without");

// --- a graph with a mistake is not laid out ----------------------------------------------------------------
using broken = graph<"broken", input<"x", features<3>>, node<"y", linear<2, features<4>>, "x">, output<"y">>;
using idle = graph<"idle", input<"x", features<3>>, node<"spare", linear<2>, "x">, node<"y", linear<2>, "x">,
                   output<"y">>;
using idle_inside = graph<"idle_inside", input<"x", features<3>>, node<"inner", idle, "x">, output<"inner">>;
static_assert(tenon::detail::problem_in<idle, void>.where == "spare");
static_assert(tenon::detail::problem_in<idle_inside, void>.where == "inner.spare",
              "a nested graph answers for its own nodes");
static_assert(!fits<broken> && fits<tied> && network_of<broken>.edges.size == 0);
static_assert(concepts::Graph<tied> && !concepts::Graph<linear<3>> && concepts::Layer<tied> &&
              concepts::Layer<linear<3>> && !concepts::Layer<int> && concepts::Node<sum_of_two> &&
              !concepts::Node<cells::lstm>);

}  // namespace

TEST_CASE("graphs are laid out at compile time") { CHECK(s1.parameter_elements == 78032); }
