// Options of fit in another order than theirs.
// expect(g++): fit_options<tenon::v0_1::ir::text<142>{"in this order: .epochs, .shuffle, .batches, .validate, .metrics, .validate_average, .schedule, .stop, .checkpoint,
// expect(g++): does not match declaration order in
// expect(clang): field 'validate' will be initialized after field 'epochs'
#include <tenon/tenon.hpp>

#include <array>

#ifdef __clang__
#  pragma clang diagnostic error "-Wreorder-init-list"  // a warning by default
#endif

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
  fit(train, rows(), {.validate = rows(), .epochs = 3});
#else
  fit(train, rows(), {.epochs = 3, .validate = rows()});
#endif
}
