// Another graph's parameters in a trainer.
// expect(g++): these are not the parameters of the session\'s graph; pass parameters<graph>, of the same graph
// expect(clang): these are not the parameters of the session's graph; pass parameters<graph>, of the same graph
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using other = graph<"other", input<"x", features<8>>, node<"y", linear<5>, "x">, output<"y">>;

#ifdef MISTAKE
void use(parameters<other>& theta) {
  trainer<model, losses::cross_entropy<"y">, optimizers::sgd> train(theta);
  train.step();
}
#else
void use(parameters<model>& theta) {
  trainer<model, losses::cross_entropy<"y">, optimizers::sgd> train(theta);
  train.step();
}
#endif
