// The gradient of tokens.
// expect(g++): input \'tokens\' has no gradient: it is tokens; ask for the gradient of the table, node.weight
// expect(clang): "input \'tokens\' has no gradient: it"
// expect(clang): "is tokens; ask for the gradient of"
// expect(clang): "the table, node.weight"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
view<const float> use(const differentiation<model, void, input_gradients>& run) {
  return input_gradient<"tokens">(run);
}
#else
view<const float> use(const differentiation<model, void, input_gradients>& run) {
  return input_gradient<"x">(run);
}
#endif
