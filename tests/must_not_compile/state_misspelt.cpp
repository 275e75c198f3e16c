// A state under a name that none has.
// expect(g++): the stream has no state \'state.h_n\'; did you mean \'states.h_n\'?
// expect(clang): "the stream has no state"
// expect(clang): "\'state.h_n\'; did you mean"
// expect(clang): "\'states.h_n\'?"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
float use(streaming<model>& live) {
#ifdef MISTAKE
  return get_state<"state.h_n">(live)(0, 0);
#else
  return get_state<"states.h_n">(live)(0, 0);
#endif
}
