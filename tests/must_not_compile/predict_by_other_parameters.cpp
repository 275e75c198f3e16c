// Parameters of another graph.
// expect(g++): these are the parameters of graph \'other\', the session runs graph \'model\'; pass parameters<graph>, of the same graph
// expect(clang): "these are the parameters of graph"
// expect(clang): "\'other\', the session runs graph"
// expect(clang): "\'model\'; pass parameters<graph>,"
// expect(clang): "of the same graph"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using other_model = graph<"other", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
auto use(inference<model, batch<4>>& network, [[maybe_unused]] const parameters<other_model>& other,
         [[maybe_unused]] const parameters<model>& theta) {
#ifdef MISTAKE
  return predict<"logits">(network, other, rows());
#else
  return predict<"logits">(network, theta, rows());
#endif
}
