// The gradient of an input without the option.
// expect(g++): input \'x\' has no gradient: none was asked for; add the option input_gradients
// expect(clang): "input \'x\' has no gradient: none"
// expect(clang): "was asked for; add the option"
// expect(clang): "input_gradients"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
using session = differentiation<model>;
#else
using session = differentiation<model, void, input_gradients>;
#endif
view<const float> use(const session& run) { return input_gradient<"x">(run); }
