// Small graphs around one layer, for the laws.
#pragma once

#include "tenon/graph/graph.hpp"

namespace tenon::test {

template <class Layer, int In>
using single = graph<"one row", input<"x", features<In>>, node<"y", Layer, "x">, output<"y">>;
template <class Layer, int In, int T = 4>
using over_time = graph<"over time", input<"x", features<In>, steps<T>>, node<"y", Layer, "x">, output<"y">>;
template <class Layer, int In, int T>
using with_states = graph<"with final states", input<"x", features<In>, steps<T>>, node<"y", Layer, "x">,
                          output<"y">, output<"y.h_n">, output<"y.final">>;

}  // namespace tenon::test
