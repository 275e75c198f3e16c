// A streaming session run as a whole.
// expect(g++): it has no run; write step(a value for each input), or for several steps at once streaming<graph, block<64>>
// expect(clang): it has no run; write step(a value for each input), or for several steps at once streaming<graph, block<64>>
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(streaming<model>& run, const parameters<model>& theta, [[maybe_unused]] view<const float> x) {
#ifdef MISTAKE
  run.run(theta);
#else
  run.step(theta, x);
#endif
}
