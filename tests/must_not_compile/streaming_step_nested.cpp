// Sequences where one step of each is taken.
// expect(g++): input \'x\': sequences are given, it takes one step of each; give a tensor [batch, 8]
// expect(clang): "input \'x\': sequences are given, it"
// expect(clang): "takes one step of each; give a"
// expect(clang): "tensor [batch, 8]"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(streaming<model>& live, const parameters<model>& theta,
         const std::vector<std::vector<std::array<float, 8>>>& x) {
#ifdef MISTAKE
  live.step(theta, x);
#else
  live.step(theta, x[0]);
#endif
}
