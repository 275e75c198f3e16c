// Which axes a stream steps along or takes whole, what it computes once and keeps; and how many steps are in memory.
#include "tenon/engine/plan/plan_steps.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

using engine::purpose;

// A decoder that steps along "time" and sees all of "source".
using decoder =
    graph<"decoder", input<"x", features<2>, steps<5>>, input<"m", features<3>, steps<4, "source">>,
          node<"keys", linear<3>, "m">, node<"state", gru<3>, "x">,
          node<"y", attention<score::dot>, "state", "keys">, output<"y">>;
template <class G, purpose Purpose>
using plan = engine::plan_of<G, void, Purpose>;
template <class Plan>
constexpr int edge_of(const char* path) {
  for (int e = 0; e < Plan::net.edges.size; ++e)
    if (Plan::net.edges[e].path == ir::name(path)) return e;
  return -1;
}
template <class Plan>
constexpr int maker_of(const char* path) {
  for (int o = 0; o < Plan::net.operations.size; ++o)
    if (Plan::net.operations[o].out[0] == edge_of<Plan>(path)) return o;
  return -1;
}

using stream = plan<decoder, purpose::streaming>;
using whole = plan<decoder, purpose::inference>;
constexpr int x = edge_of<stream>("x"), m = edge_of<stream>("m");
constexpr int keys = maker_of<stream>("keys"), state = maker_of<stream>("state"), y = maker_of<stream>("y");
static_assert(x >= 0 && m >= 0 && keys >= 0 && state >= 0 && y >= 0);

static_assert(stream::is_stepped_edge(x) && stream::is_whole_edge(m));
static_assert(stream::steps(x) == 1 && stream::steps(m) == 4);
static_assert(whole::steps(x) == 5 && whole::steps(m) == 4 && !whole::is_stepped_edge(x));
static_assert(stream::runs_once(keys) && !stream::runs_once(state) && !stream::runs_once(y));
static_assert(!whole::runs_once(keys), "only a stream does something once");
static_assert(stream::sees_what_stays(y) && !stream::sees_what_stays(state));
static_assert(stream::inner_steps_of(y) == 4 && stream::inner_steps_of(state) == 1);
static_assert(stream::begins && !stream::has_counted_steps && stream::most_steps == 0);

// A mean of another sequence stays, though the equation adds a number of its own: how many steps the mean is over.
struct beside_mean {
  static constexpr auto at(auto first, auto second) { return first * mean<"source">(second); }
};
using scaled = graph<"scaled", input<"x", features<3>, steps<5>>, input<"m", features<3>, steps<4, "source">>,
                     node<"y", beside_mean, "x", "m">, output<"y">>;
using of_scaled = plan<scaled, purpose::streaming>;
static_assert(of_scaled::net.programs[of_scaled::net.operations[maker_of<of_scaled>("y")].program].own.size ==
              1);
static_assert(of_scaled::sees_what_stays(maker_of<of_scaled>("y")));

// What sees the steps of a stream depends on them, even along a sequence that is given whole; and what reads that.
struct beside_sum {
  static constexpr auto at(auto first, auto second) { return first + sum<"target">(tanh(first * second)); }
};
struct beside_all {
  static constexpr auto at(auto first, auto second) { return first * second; }
};
using back_again =
    graph<"back again", input<"x", features<3>, steps<5, "target">>,
          input<"m", features<3>, steps<4, "source">>, node<"a", beside_sum, "m", "x">,
          node<"all", mean_over<"source">, "a">, node<"y", beside_all, "x", "all">, output<"y">>;
using of_back_again = plan<back_again, purpose::streaming>;
static_assert(of_back_again::is_stepped_edge(edge_of<of_back_again>("x")) &&
              of_back_again::is_whole_edge(edge_of<of_back_again>("a")));
static_assert(!of_back_again::runs_once(maker_of<of_back_again>("a")) &&
              !of_back_again::runs_once(maker_of<of_back_again>("all")));

// A sequence that others see whole is whole, even if it is an output; windows step with what they go over.
using shown = graph<"shown", input<"x", features<2>, steps<5>>, input<"m", features<3>, steps<4, "source">>,
                    node<"keys", linear<3>, "m">, node<"state", gru<3>, "x">,
                    node<"y", attention<score::dot>, "state", "keys">, output<"y">, output<"keys">>;
using of_shown = plan<shown, purpose::streaming>;
static_assert(of_shown::is_stepped_edge(edge_of<of_shown>("x")) &&
              of_shown::is_whole_edge(edge_of<of_shown>("m")) &&
              of_shown::is_whole_edge(edge_of<of_shown>("keys")));
using halved =
    graph<"halved", input<"x", features<2>, steps<6>>, node<"y", conv1d<3, 2, stride<2>>, "x">, output<"y">>;
using of_halved = plan<halved, purpose::streaming>;
static_assert(of_halved::is_stepped_edge(edge_of<of_halved>("x")) &&
              of_halved::is_stepped_edge(edge_of<of_halved>("y")));

// An operation that looks back at all steps is bounded by the axis; one that looks back at some steps is not.
using heads = graph<"heads", input<"x", features<4>, steps<7>>, node<"y", multi_head<4, 2, is_causal>, "x">,
                    output<"y">>;
using taps = graph<"taps", input<"x", features<4>, steps<7>>,
                   node<"y", conv1d<5, 3, is_causal, dilation<2>>, "x">, output<"y">>;
template <class Plan>
constexpr int most_kept = [] {
  int most = 0;
  for (int o = 0; o < Plan::net.operations.size; ++o) {
    if (Plan::kept_steps(o) > most) most = Plan::kept_steps(o);
    if (Plan::kept_windows(o) > most) most = Plan::kept_windows(o);
  }
  return most;
}();
static_assert(most_kept<plan<heads, purpose::streaming>> == 7 &&
              plan<heads, purpose::streaming>::most_steps == 7);
static_assert(most_kept<plan<taps, purpose::streaming>> == 5 &&
              plan<taps, purpose::streaming>::most_steps == 0);
static_assert(plan<taps, purpose::streaming>::has_counted_steps);
static_assert(most_kept<plan<heads, purpose::inference>> == 0 &&
              most_kept<plan<taps, purpose::inference>> == 0);

}  // namespace tenon::test
