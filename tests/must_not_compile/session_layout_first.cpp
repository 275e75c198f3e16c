// The layout of a tensor before its lengths.
// expect(g++): input \'x\': after the tensor come its lengths, whole numbers, then its layout; write (tensor, lengths, layout::time_first)
// expect(clang): "input \'x\': after the tensor come"
// expect(clang): "its lengths, whole numbers, then"
// expect(clang): "its layout; write (tensor,"
// expect(clang): "lengths, layout::time_first)"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
void use(inference<model>& run, view<const float> x, const std::vector<int>& lengths) {
#ifdef MISTAKE
  set_input<"x">(run, x, layout::time_first, lengths);
#else
  set_input<"x">(run, x, lengths, layout::time_first);
#endif
}
