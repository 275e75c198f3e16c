// A metric of a target that the loss does not have.
// expect(g++): the graph has no input \'class\'; its inputs are \'x\', \'target\'
// expect(clang): "the graph has no input \'class\';"
// expect(clang): "its inputs are \'x\', \'target\'"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use(training& train) {
#ifdef MISTAKE
  fit(train, rows(), {.validate = rows(), .metrics = {metric::accuracy<"logits", "class">{}}});
#else
  fit(train, rows(), {.validate = rows(), .metrics = {metric::accuracy<"logits", "target">{}}});
#endif
}
