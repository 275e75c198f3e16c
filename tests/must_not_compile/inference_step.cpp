// One step taken by a session that runs whole sequences.
// expect(g++): inference runs whole sequences: it has no step; steps are taken by streaming<graph>
// expect(clang): inference runs whole sequences: it has no step; steps are taken by streaming<graph>
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(inference<model>& run, const parameters<model>& theta, [[maybe_unused]] view<const float> x) {
#ifdef MISTAKE
  run.step(theta, x);
#else
  run(theta, x);
#endif
}
