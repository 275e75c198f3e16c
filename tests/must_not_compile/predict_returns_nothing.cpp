// A function of a row that prints, and returns nothing.
// expect(g++): the function of a row returns nothing; return what is to be kept of each row
// expect(clang): "the function of a row returns"
// expect(clang): "nothing; return what is to be kept"
// expect(clang): "of each row"
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
  return predict<"logits">(network, rows(), [](const auto& scores) { (void)argmax(scores); });
#else
  return predict<"logits">(network, rows(), [](const auto& scores) { return argmax(scores); });
#endif
}
