// The adjoint of an output, where a loss gives it.
// expect(g++): output \'logits\' has no adjoint to write: it follows from the loss; write differentiation<graph, void>
// expect(clang): "output \'logits\' has no adjoint to"
// expect(clang): "write: it follows from the loss;"
// expect(clang): "write differentiation<graph, void>"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
using session = differentiation<model, losses::cross_entropy<"logits">>;
#else
using session = differentiation<model, void>;
#endif
view<float> use(session& run) { return output_adjoint<"logits">(run); }
