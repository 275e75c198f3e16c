// A function of two rows, where one output is named.
// expect(g++): the argument after the data cannot be called with a view of a row of each output; write [](const auto& logits) { return ..; }
// expect(clang): "the argument after the data cannot"
// expect(clang): "be called with a view of a row of"
// expect(clang): "each output; write [](const auto&"
// expect(clang): "logits) { return ..; }"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">,
                    node<"sums", linear<2>, "x">, output<"sums">>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
auto use(inference<model, batch<4>>& network) {
#ifdef MISTAKE
  return predict<"logits">(network, rows(), [](const auto& a, const auto& b) { return a(0) + b(0); });
#else
  return predict<"logits", "sums">(network, rows(), [](const auto& a, const auto& b) { return a(0) + b(0); });
#endif
}
