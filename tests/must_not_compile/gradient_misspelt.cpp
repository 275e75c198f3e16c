// The gradient of a misspelt input.
// expect(g++): the graph has no input \'token\'; did you mean \'tokens\'?
// expect(clang): "the graph has no input \'token\';"
// expect(clang): "did you mean \'tokens\'?"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"numbers", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "numbers">, output<"states">, output<"logits">>;

#ifdef MISTAKE
view<const float> use(const differentiation<model, void, input_gradients>& run) {
  return input_gradient<"token">(run);
}
#else
view<const float> use(const differentiation<model, void, input_gradients>& run) {
  return input_gradient<"numbers">(run);
}
#endif
