// Data without a column for an input.
// expect(g++): input \'x\' has no column; the columns are \'y\'
// expect(clang): "input \'x\' has no column; the"
// expect(clang): "columns are \'y\'"
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
  const data_set none(column<"y">(9, [](int) { return std::array<float, 8>{}; }));
  return predict<"logits">(network, none);
#else
  return predict<"logits">(network, rows());
#endif
}
