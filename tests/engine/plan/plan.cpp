// Which operation writes an adjoint and which add to it, and when a program may add to it in place.
#include "tenon/engine/plan/plan.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

using engine::purpose;

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

// --- of two readers, the later one is the first to run backward: it writes, and the other adds ---
using two_readers = graph<"two readers", input<"x", features<3>>, node<"h", linear<4>, "x">,
                          node<"a", linear<2>, "h">, node<"b", add, "a", "a">, node<"y", linear<2>, "h">,
                          node<"c", add, "a", "y">, node<"z", add, "b", "c">, output<"z">>;
using learning = engine::plan_of<two_readers, losses::mse<"z">, purpose::differentiation>;
constexpr int a = maker_of<learning>("a"), b = maker_of<learning>("b"), y = maker_of<learning>("y"),
              c = maker_of<learning>("c");
static_assert(a >= 0 && b > a && y > b && c > y);
static_assert(!learning::adds_contribution(y, 0) && learning::adds_contribution(a, 0));

// --- one that reads the same value twice computes two contributions to one adjoint: none is added in place ---
static_assert(learning::adds_contribution(b, 0) && learning::adds_contribution(b, 1));
static_assert(learning::initialized(b) == 0 && learning::initialized(a) == 1);

// --- one that reads a part cannot write the whole: the adjoint begins at zero, and all of them add ---
using by_layers =
    graph<"by layers", input<"x", features<3>, steps<4>>, input<"in", features<2>, steps<3, "out">>,
          node<"e", gru<5, layers<2>>, "x">, node<"h", gru<5, layers<2>>, "in", "e.h_n">, output<"h">>;
using handing = engine::plan_of<by_layers, losses::mse<"h">, purpose::differentiation>;
constexpr bool parts_are_added = [] {
  int parts = 0;
  for (int o = 0; o < handing::net.operations.size; ++o)
    for (int i = 0; i < handing::net.operations[o].in.size; ++i) {
      const int e = handing::net.operations[o].in[i];
      if (e < 0 || handing::net.edges[e].whole < 0 || !handing::active.differentiated[o]) continue;
      ++parts;
      if (!handing::adds_contribution(o, i)) return false;
    }
  return parts == 2;
}();
static_assert(parts_are_added);

// --- a table that does not learn, or is shown, is not multiplied for training ---
template <class... More>
using with_table = graph<"table", input<"t", token<3>, steps<20>>, node<"e", embedding<3, 4, More...>, "t">,
                         node<"h", gru<3>, "e">, output<"h">>;
using shown_table = graph<"shown", input<"t", token<3>, steps<20>>, node<"e", embedding<3, 4>, "t">,
                          node<"h", gru<3>, "e">, output<"h">, output<"e">>;
template <class G>
constexpr bool multiplies_table = engine::plan_of<G, void, purpose::differentiation, batch<4>>::has_tables;
static_assert(multiplies_table<with_table<>> && !multiplies_table<with_table<frozen>> &&
              !multiplies_table<shown_table>);

}  // namespace tenon::test
