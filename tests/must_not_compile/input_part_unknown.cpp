// An input described by an option of a layer.
// expect(g++): node \'x\': \'hidden<8>\' is not a part of an input; its parts: token<range> or features<size>, steps<bound> or grid<height, width>, layers<count>
// expect(clang): "node \'x\': \'hidden<8>\' is not a"
// expect(clang): "part of an input; its parts:"
// expect(clang): "token<range> or features<size>,"
// expect(clang): "steps<bound> or grid<height,"
// expect(clang): "width>, layers<count>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using width = hidden<8>;
#else
using width = features<8>;
#endif
using model = graph<"model", input<"x", width>, node<"y", linear<4>, "x">, output<"y">>;
static_assert(check<model>());
