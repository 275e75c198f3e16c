// A number of rows in the place of the data.
// expect(g++): \'int\' is not a data set; write data_set(column<\"x\">(..)), or a type with size() and set_inputs(session, rows)
// expect(clang): "\'int\' is not a data set; write"
// expect(clang): "data_set(column<\"x\">(..)), or a"
// expect(clang): "type with size() and"
// expect(clang): "set_inputs(session, rows)"
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
  return predict<"logits">(network, 9);
#else
  return predict<"logits">(network, rows());
#endif
}
