// Two images of one axis, with other lines and places.
// expect(g++): node \'z\': the axis \'grid\' has another height or width in another input; write the same grid<height, width>, or name the axes: grid<4, 6, \"map\">
// expect(clang): "node \'z\': the axis \'grid\' has"
// expect(clang): "another height or width in another"
// expect(clang): "input; write the same grid<height,"
// expect(clang): "width>, or name the axes: grid<4,"
// expect(clang): "6, \"map\">"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using second = grid<6, 5>;
#else
using second = grid<5, 6>;
#endif
using model = graph<"model", input<"x", features<4>, grid<5, 6>>, input<"z", features<4>, second>,
                    node<"y", add, "x", "z">, output<"y">>;
static_assert(check<model>());
