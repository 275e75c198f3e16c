// A layer over a grid.
#pragma once

#include "tenon/graph/graph.hpp"

namespace tenon::test {

template <class Layer, int D, int Height, int Width>
using over_grid =
    graph<"over a grid", input<"x", features<D>, grid<Height, Width>>, node<"y", Layer, "x">, output<"y">>;

}  // namespace tenon::test
