// A session bounds a sequence by nothing.
// expect(g++): steps<0> has no steps; write the length of the longest sequence of this session
// expect(clang): "steps<0> has no steps; write the"
// expect(clang): "length of the longest sequence of"
// expect(clang): "this session"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using bound = steps<0>;
#else
using bound = steps<5>;
#endif
using model = graph<"model", input<"x", features<3>, steps<10>>, node<"y", gru<4>, "x">, output<"y">>;
inference<model, bound> run;
