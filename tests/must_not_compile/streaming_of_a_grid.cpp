// An image, step by step.
// expect(g++): node \'y\': streaming runs step by step, and a grid has no steps from \'x\'; use inference
// expect(clang): "node \'y\': streaming runs step by"
// expect(clang): "step, and a grid has no steps from"
// expect(clang): "\'x\'; use inference"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using places = grid<4, 5>;
#else
using places = steps<20>;
#endif
using model = graph<"model", input<"x", features<3>, places>, node<"y", linear<4>, "x">, output<"y">>;
streaming<model> run;
