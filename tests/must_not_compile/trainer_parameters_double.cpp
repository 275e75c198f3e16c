// A trainer of float on parameters of double.
// expect(g++): parameters and session are of different scalars; write scalar_type<double>, or parameters<graph, float>
// expect(clang): parameters and session are of different scalars; write scalar_type<double>, or parameters<graph, float>
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam>;
#ifdef MISTAKE
parameters<model, double> theta(zeros{});
#else
parameters<model> theta(zeros{});
#endif
training train(theta);
