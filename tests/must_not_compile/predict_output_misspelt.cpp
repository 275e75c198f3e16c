// An output that the graph has not.
// expect(g++): the graph has no output \'logit\'; did you mean \'logits\'?
// expect(clang): "the graph has no output \'logit\';"
// expect(clang): "did you mean \'logits\'?"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
auto use(inference<model, batch<4>>& network) {
#ifdef MISTAKE
  return predict<"logit">(network, rows(), [](const auto& scores) { return argmax(scores); });
#else
  return predict<"logits">(network, rows(), [](const auto& scores) { return argmax(scores); });
#endif
}
