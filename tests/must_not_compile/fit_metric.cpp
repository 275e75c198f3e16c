// The name of a metric where the metric stands.
// expect(g++): \'const char*\' is not a metric; write {metric::accuracy{}}, or see tenon/train/metrics/metrics.hpp for what a metric has
// expect(clang): "\'const char *\' is not a metric;"
// expect(clang): "write {metric::accuracy{}}, or see"
// expect(clang): "tenon/train/metrics/metrics.hpp"
// expect(clang): "for what a metric has"
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
  fit(train, rows(), {.validate = rows(), .metrics = {"accuracy"}});
#else
  fit(train, rows(), {.validate = rows(), .metrics = {metric::accuracy{}}});
#endif
}
