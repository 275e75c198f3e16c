// Two outputs, and no function that makes one value of them.
// expect(g++): predict of several outputs takes a function of a row of each; write [](const auto& logits, const auto& sums) { return ..; }
// expect(clang): "predict of several outputs takes a"
// expect(clang): "function of a row of each; write"
// expect(clang): "[](const auto& logits, const auto&"
// expect(clang): "sums) { return ..; }"
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
  return predict<"logits", "sums">(network, rows());
#else
  return predict<"logits", "sums">(network, rows(), [](const auto& a, const auto& b) { return a(0) + b(0); });
#endif
}
