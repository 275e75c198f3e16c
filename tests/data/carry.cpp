// What can be carried from one window of a text to the next: an output of the size of an input that has no steps.
#include "tenon/data/carry.hpp"

#include "tenon/engine/session/inference.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

// "h0" is the first edge of the graph, and an output as it is.
using reader =
    graph<"reader", input<"h0", features<3>>, input<"x", features<2>, steps<4>>, node<"h", gru<3>, "x", "h0">,
          output<"h0">, output<"h">, output<"h.h_n">, output<"h.final">>;
template <class Carry>
using unfit = typename Carry::template unfit<inference<reader>>;

static_assert(!unfit<carry<"h.h_n", "h0">>::wrong && !unfit<carry<"h.final", "h0">>::wrong);
static_assert(!unfit<carry<"h0", "h0">>::wrong);  // a state that no window changes
static_assert(unfit<carry<"h", "h0">>::wrong && unfit<carry<"h.h_n", "x">>::wrong);
static_assert(unfit<carry<"h_n", "h0">>::wrong && unfit<carry<"h.h_n", "h1">>::wrong);

TEST_CASE("what can be carried is decided while this file compiles") {
  CHECK_FALSE(unfit<carry<"h.h_n", "h0">>::wrong);
}

}  // namespace tenon::test
