// A trainer in the place of the inference.
// expect(g++): predict of an output takes an inference, which runs a graph forward; write inference<graph, batch<32>> model(theta); for the loss and metrics of a trainer, evaluate(trainer, data)
// expect(clang): "predict of an output takes an"
// expect(clang): "inference, which runs a graph"
// expect(clang): "forward; write inference<graph,"
// expect(clang): "batch<32>> model(theta); for the"
// expect(clang): "loss and metrics of a trainer,"
// expect(clang): "evaluate(trainer, data)"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
auto use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>& train) {
#ifdef MISTAKE
  return predict<"logits">(train, rows());
#else
  inference<model> network(train.theta());
  return predict<"logits">(network, rows());
#endif
}
