// Spans of rows that have no steps.
// expect(g++): spans are of sequences, and output \'logits\' has no steps; metric::macro_f1{} is of classes
// expect(clang): "spans are of sequences, and output"
// expect(clang): "\'logits\' has no steps;"
// expect(clang): "metric::macro_f1{} is of classes"
#include <tenon/tenon.hpp>
#include <tenon/train/metrics/span_f1.hpp>

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
  evaluate(train, rows(), {metric::span_f1{std::array{"O", "B-name"}}});
#else
  evaluate(train, rows(), {metric::macro_f1{}});
#endif
}
