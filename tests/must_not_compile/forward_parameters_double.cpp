// Parameters of double for a forward pass in float.
// expect(g++): the parameters are double, the session computes in float; write scalar_type<double>, or parameters<graph, float>
// expect(clang): "the parameters are double, the"
// expect(clang): "session computes in float; write"
// expect(clang): "scalar_type<double>, or"
// expect(clang): "parameters<graph, float>"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
void use(differentiation<model>& run, const parameters<model, double>& d, const parameters<model>& f) {
  run.forward(d);
  run.forward(f);
}
#else
void use(differentiation<model>& run, const parameters<model, double>& d, const parameters<model>& f) {
  static_cast<void>(d);
  run.forward(f);
}
#endif
