// A streaming session called with whole sequences.
// expect(g++): streaming takes one step at a time: it has no run; write step(theta, a value for each input)
// expect(clang): "streaming takes one step at a"
// expect(clang): "time: it has no run; write"
// expect(clang): "step(theta, a value for each"
// expect(clang): "input)"
#include <tenon/tenon.hpp>

using namespace tenon;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(streaming<model>& run, const parameters<model>& theta, [[maybe_unused]] view<const float> x) {
#ifdef MISTAKE
  run(theta, x);
#else
  run.step(theta, x);
#endif
}
