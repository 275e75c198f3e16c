// A state that is carried from step to step, of a session that takes none.
// expect(g++): only a stream carries states from step to step; write streaming<graph>; a whole run has its last states as outputs, node.h_n
// expect(clang): "only a stream carries states from
// expect(clang): "step to step; write
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">, output<"states.h_n">>;
float use(inference<model>& whole) {
#ifdef MISTAKE
  return get_state<"states">(whole)(0, 0);
#else
  return get<"states.h_n">(whole)(0, 0);
#endif
}
