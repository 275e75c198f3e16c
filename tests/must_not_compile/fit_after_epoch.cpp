// What follows an epoch does not take the report.
// expect(g++): fit calls after_epoch(report), and this one does not take it; write [](const epoch_report& report) { .. }
// expect(clang): "fit calls after_epoch(report), and"
// expect(clang): "this one does not take it; write"
// expect(clang): "[](const epoch_report& report) {"
// expect(clang): ".. }"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, cross_entropy<"logits">, adam, batch<32>>;
void use(training& train) {
  const auto feed = [](training&, std::span<const int>) {};
#ifdef MISTAKE
  fit(train, 100, feed, {.epochs = 3}, [] {});
#else
  fit(train, 100, feed, {.epochs = 3}, [](const epoch_report&) {});
#endif
}
