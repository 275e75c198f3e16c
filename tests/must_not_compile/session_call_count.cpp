// A call with too few inputs.
// expect(g++): the call takes 2 inputs, got 1; its inputs are \'tokens\', \'x\', in this order
// expect(clang): "the call takes 2 inputs, got 1;"
// expect(clang): "its inputs are \'tokens\', \'x\', in"
// expect(clang): "this order"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
void use(inference<model>& run, const parameters<model>& theta, const std::vector<float>& x,
         const std::vector<std::vector<int>>& tokens) {
  run(theta, tokens);
  set_input<"x">(run, x);
}
#else
void use(inference<model>& run, const parameters<model>& theta, const std::vector<float>& x,
         const std::vector<std::vector<int>>& tokens) {
  run(theta, tokens, x);
  set_input<"x">(run, x);
}
#endif
