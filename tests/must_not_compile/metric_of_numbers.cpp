// A metric of classes, where the target is a number.
// expect(g++): a metric of classes: input \'target\' holds numbers, not classes; name output and target: metric::accuracy<\"logits\", \"class\">{}
// expect(clang): "a metric of classes: input"
// expect(clang): "\'target\' holds numbers, not"
// expect(clang): "classes; name output and target:"
// expect(clang): "metric::accuracy<\"logits\","
// expect(clang): "\"class\">{}"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::mse<"logits">, optimizers::adam, batch<32>>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int) { return std::array<float, 4>{}; }));
}
void use(training& train) {
#ifdef MISTAKE
  evaluate(train, rows(), {metric::accuracy{}});
#else
  evaluate(train, rows());
#endif
}
