// A metric of an input.
// expect(g++): \'x\' is an input of the graph, not an output; name the output, as in metric::accuracy<\"logits\">{}
// expect(clang): "\'x\' is an input of the graph, not"
// expect(clang): "an output; name the output, as in"
// expect(clang): "metric::accuracy<\"logits\">{}"
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
  fit(train, rows(), {.validate = rows(), .metrics = {metric::accuracy<"x">{}}});
#else
  fit(train, rows(), {.validate = rows(), .metrics = {metric::accuracy<"logits">{}}});
#endif
}
