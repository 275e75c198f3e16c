// A session bounds a sequence so that no window fits.
// expect(g++): no window of the axis \'time-4\' fits into steps<4>; write a larger bound
// expect(clang): "no window of the axis \'time-4\'"
// expect(clang): "fits into steps<4>; write a larger"
// expect(clang): "bound"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using bound = steps<4>;
#else
using bound = steps<5>;
#endif
using model = graph<"model", input<"x", features<3>, steps<10>>, node<"y", conv1d<4, 5>, "x">, output<"y">>;
inference<model, bound> run;
