// Streaming of an equation that asks how far it is from the end.
// expect(g++): node \'y\': streaming runs step by step, and a length over the axis \'time\' reads all steps; use inference
// expect(clang): "node \'y\': streaming runs step by"
// expect(clang): "step, and a length over the axis"
// expect(clang): "\'time\' reads all steps; use"
// expect(clang): "inference"
#include <tenon/tenon.hpp>

using namespace tenon;

struct countdown {
  static constexpr auto at(auto x) { return x * (length_of<"time">(x) - position_of<"time">(x)); }
};
using model = graph<"model", input<"x", features<4>, steps<6>>, node<"y", countdown, "x">, output<"y">>;

#ifdef MISTAKE
streaming<model> run;
#else
inference<model> run;
#endif
