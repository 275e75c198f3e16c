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
using two_readers =
    graph<"two readers", input<"x", features<3>>, node<"h", linear<4>, "x">, node<"a", linear<2>, "h">,
          node<"b", add, "a", "a">, node<"y", linear<2>, "h">, node<"c", add, "a", "y">,
          node<"z", add, "b", "c">, output<"z">, output<"b">, output<"c">, output<"y">>;  // none is joined with its reader
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

// --- nor is one whose rows are windows that are read in place, or that each step of another sequence sees whole ---
using letters = graph<"letters", input<"t", token<3>, steps<20>>, node<"e", embedding<3, 4>, "t">,
                      node<"y", conv1d<5, 3>, "e">, output<"y">>;
using of_letters = engine::plan_of<letters, void, purpose::differentiation, batch<4>>;
constexpr int windows_in_place = [] {
  int found = 0;
  for (const ir::operation& o : of_letters::net.operations) found += engine::multiplied_neighbours(o) == 3;
  return found;
}();
static_assert(windows_in_place == 1 && !multiplies_table<letters>);

// --- the product of a table, whose rows are looked up by the first operation, has memory after all packed weights ---
using of_table = engine::plan_of<with_table<>, void, purpose::differentiation, batch<4>>;
static_assert(of_table::tables[maker_of<of_table>("h")] == 0 && of_table::table_columns(1) == 3 * 3);
static_assert(of_table::needs_of<1>().packed.size ==
              1 + of_table::program_of<1>::forward_schedule::value.kernels.size +
                  of_table::program_of<1>::backward_schedule::value.kernels.size);
static_assert(of_table::needs_of<1>().packed.last() == 3 * 9);

// --- a value that the caller reads, and whose adjoint the caller gives, is added to by all who read it ---
using read_and_shown = graph<"read and shown", input<"x", features<3>>, node<"h", linear<4>, "x">,
                             node<"y", linear<2>, "h">, output<"h">, output<"y">>;
using by_caller = engine::plan_of<read_and_shown, void, purpose::differentiation>;
using by_loss = engine::plan_of<read_and_shown, losses::mse<"y">, purpose::differentiation>;
static_assert(by_caller::adds_contribution(maker_of<by_caller>("y"), 0) &&
              !by_loss::adds_contribution(maker_of<by_loss>("y"), 0));

// --- symbols without gradient: those of frozen parameters ---
using half_frozen = graph<"half frozen", input<"x", features<3>>, node<"h", linear<4, frozen>, "x">,
                          node<"y", linear<2>, "h">, output<"y">>;
using thawing = engine::plan_of<half_frozen, void, purpose::differentiation, input_gradients>;
static_assert(thawing::frozen_symbols(maker_of<thawing>("h")) == 0b11, "weights and bias");
static_assert(thawing::frozen_symbols(maker_of<thawing>("y")) == 0);

// --- a loop of several steps is one, and its state has an adjoint from the next step even if nobody reads the last ---
using asking = engine::plan_of<with_table<>, void, purpose::inference>;
static_assert(!asking::is_one_step(maker_of<asking>("h")));
static_assert((of_table::outputs_with_adjoint(maker_of<of_table>("h")) & 0b11u) == 0b11u);

}  // namespace tenon::test
