// A metric with an argument and without names, of a graph whose output is called otherwise.
// expect(g++): the graph has no output \'logits\'; name the output, as in metric::top_k<K, \"scores\">{}
// expect(clang): "the graph has no output \'logits\';"
// expect(clang): "metric::top_k<K, \"scores\">{}"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"scores", linear<4>, "x">, output<"scores">>;
using training = trainer<model, losses::cross_entropy<"scores">, optimizers::adam, batch<32>>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use(training& train) {
#ifdef MISTAKE
  fit(train, rows(), {.validate = rows(), .metrics = {metric::top_k<2>{}}});
#else
  fit(train, rows(), {.validate = rows(), .metrics = {metric::top_k<2, "scores">{}}});
#endif
}
