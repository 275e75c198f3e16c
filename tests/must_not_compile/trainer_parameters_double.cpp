// A trainer of float on parameters of double.
// expect(g++): the parameters are double, the session computes in float; write scalar_type<double>, or parameters<graph, float>
// expect(clang): "the parameters are double, the"
// expect(clang): "session computes in float; write"
// expect(clang): "scalar_type<double>, or"
// expect(clang): "parameters<graph, float>"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam>;
#ifdef MISTAKE
parameters<model, double> theta(zeros{});
#else
parameters<model> theta(zeros{});
#endif
training train(theta);
