// A metric of an output that the graph does not have.
// expect(g++): the graph has no output \'logit\'; did you mean \'logits\'?
// expect(clang): "the graph has no output \'logit\';"
// expect(clang): "did you mean \'logits\'?"
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
  fit(train, rows(), {.validate = rows(), .metrics = {metric::accuracy<"logit">{}}});
#else
  fit(train, rows(), {.validate = rows(), .metrics = {metric::accuracy<"logits">{}}});
#endif
}
