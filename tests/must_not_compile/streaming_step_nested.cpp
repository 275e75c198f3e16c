// Ranges of ranges where the numbers of one step are taken.
// expect(g++): input \'x\': numbers are taken as a tensor, not as ranges of ranges; give a tensor [batch, 8]
// expect(clang): "input \'x\': numbers are taken as a"
// expect(clang): "tensor, not as ranges of ranges;"
// expect(clang): "give a tensor [batch, 8]"
#include <tenon/engine/session/session.hpp>
#include <tenon/nn/recurrent.hpp>

#include <vector>

using namespace tenon;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(streaming<model>& live, const parameters<model>& theta, const std::vector<std::vector<float>>& x) {
#ifdef MISTAKE
  live.step(theta, x);
#else
  live.step(theta, x[0]);
#endif
}
