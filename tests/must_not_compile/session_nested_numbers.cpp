// Rows of numbers where sequences of them are taken.
// expect(g++): input \'x\': rows of numbers are given, it takes sequences; give a tensor [batch, time, 8], or vectors of std::array<float, 8>
// expect(clang): "input \'x\': rows of numbers are"
// expect(clang): "given, it takes sequences; give a"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(inference<model>& run, const std::vector<std::array<float, 8>>& nested) {
#ifdef MISTAKE
  set_input<"x">(run, nested);
#else
  set_input<"x">(run, std::vector{nested, nested});
#endif
}
