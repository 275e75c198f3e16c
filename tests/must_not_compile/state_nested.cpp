// Ranges of ranges as a state.
// expect(g++): state \'states\': numbers are taken as a tensor, not as ranges of ranges; give a tensor [batch, 4]
// expect(clang): "state \'states\': numbers are taken
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(streaming<model>& live, const std::vector<std::vector<float>>& h) {
#ifdef MISTAKE
  set_state<"states">(live, h);
#else
  set_state<"states">(live, h[0]);
#endif
}
