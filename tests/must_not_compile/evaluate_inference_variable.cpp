// A loaded network is judged, with metrics that stand in a variable.
// expect(g++): evaluate takes a trainer, which knows the objective; write trainer<graph, losses::cross_entropy<\"logits\">, optimizers::adam> judge(theta); evaluate(judge, data)
// expect(clang): evaluate takes a trainer, which knows the objective; write trainer<graph, losses::cross_entropy<"logits">, optimizers::adam> judge(theta); evaluate(judge, data)
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use([[maybe_unused]] inference<model>& loaded, [[maybe_unused]] parameters<model>& theta) {
  [[maybe_unused]] const std::array metrics{metric::accuracy{}};
#ifdef MISTAKE
  evaluate(loaded, rows(), metrics);
#else
  trainer<model, losses::cross_entropy<"logits">, optimizers::adam> judge(theta);
  evaluate(judge, rows(), {metric::accuracy{}});
#endif
}
