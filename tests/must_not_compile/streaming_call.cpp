// A streaming session called with whole sequences.
// expect(g++): no match for call to
// expect(clang): does not provide a call operator
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(streaming<model>& run, const parameters<model>& theta, [[maybe_unused]] view<const float> x) {
#ifdef MISTAKE
  run(theta, x);
#else
  run.step(theta, x);
#endif
}
