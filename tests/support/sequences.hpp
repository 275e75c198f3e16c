// A layer between two sequences, and of one.
#pragma once

#include "tenon/graph/graph.hpp"

namespace tenon::test {

template <class Layer, int Query, int Memory, int T, int S>
using crossing =
    graph<"crossing", input<"q", features<Query>, steps<T, "target">>,
          input<"m", features<Memory>, steps<S, "source">>, node<"y", Layer, "q", "m">, output<"y">>;
template <class Layer, int Features, int T = 4>
using meeting_itself =
    graph<"meeting itself", input<"x", features<Features>, steps<T>>, node<"y", Layer, "x">, output<"y">>;

}  // namespace tenon::test
