// Lengths for an input without a time axis.
// expect(g++): input \'x\': lengths are given, it has no time axis; leave them out, or give the input a steps<bound>
// expect(clang): "input \'x\': lengths are given, it"
// expect(clang): "has no time axis; leave them out,"
// expect(clang): "or give the input a steps<bound>"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, input<"y", features<8>, steps<6>>,
                    node<"states", gru<4>, "y">, node<"logits", linear<3>, "x">, output<"states">,
                    output<"logits">>;

#ifdef MISTAKE
void use(inference<model>& run, view<const float> x, const std::vector<int>& lengths) {
  set_input<"x">(run, x, lengths);
  set_input<"y">(run, x);
}
#else
void use(inference<model>& run, view<const float> x, const std::vector<int>& lengths) {
  set_input<"x">(run, x);
  set_input<"y">(run, x, lengths);
}
#endif
