// Streaming of an equation whose mask lets a step see the one that comes next.
// expect(g++): node \'y\': streaming runs step by step, and a softmax over the axis \'time\' reads all steps; hide later steps (is_causal), or use inference
// expect(clang): "node \'y\': streaming runs step by"
#include <tenon/tenon.hpp>

using namespace tenon;

struct attending {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
#ifdef MISTAKE
    const auto seen = position_of<"time">(x) + 1;
#else
    const auto seen = position_of<"time">(x);
#endif
    const auto score = select(greater(position_of<"keys">(keys), seen), -1e30, dot(x, keys));
    return sum<"keys">(softmax<"keys">(score) * keys);
  }
};
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", attending, "x">, output<"y">>;
streaming<model> run;
