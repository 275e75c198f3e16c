// Ranges of ranges where numbers are taken.
// expect(g++): input \'x\': numbers are taken as a tensor, not as ranges of ranges; give a tensor [batch, time, 8]
// expect(clang): "input \'x\': numbers are taken as a"
// expect(clang): "tensor, not as ranges of ranges;"
// expect(clang): "give a tensor [batch, time, 8]"
#include <tenon/engine/session/session.hpp>
#include <tenon/nn/recurrent.hpp>

#include <vector>

using namespace tenon;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(inference<model>& run, const std::vector<std::vector<float>>& nested, view<const float> x) {
#ifdef MISTAKE
  set_input<"x">(run, nested), set_input<"x">(run, x);
#else
  set_input<"x">(run, x), static_cast<void>(nested);
#endif
}
