// What follows an epoch does not take the report.
// expect(g++): fit calls after_epoch(report), and this one does not take it; write [](const reports::epoch& report) { .. }
// expect(clang): "fit calls after_epoch(report), and"
// expect(clang): "this one does not take it; write"
// expect(clang): "[](const reports::epoch& report) {"
// expect(clang): ".. }"
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
  fit(train, rows(), {.after_epoch = [] {}});
#else
  fit(train, rows(), {.after_epoch = [](const reports::epoch&) {}});
#endif
}
