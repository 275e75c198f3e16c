// An option bounds what windows make.
// expect(g++): the axis \'time/2\' has as many steps as there are windows; leave it out, or bound the axis of an input
// expect(clang): "the axis \'time/2\' has as many"
// expect(clang): "steps as there are windows; leave"
// expect(clang): "it out, or bound the axis of an"
// expect(clang): "input"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using bound = steps<2, "time/2">;
#else
using bound = steps<4>;
#endif
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", max_pool1d<2>, "x">, output<"y">>;
inference<model, bound> run;
