// An inference, and no data.
// expect(g++): predict takes an inference, maybe parameters, data, and maybe a function of a row of each output, as in predict<\"logits\">(model, data, [](const auto& scores) { return argmax(scores); })
// expect(clang): predict takes an inference, maybe parameters, data, and maybe a function of a row of each output, as in predict<"logits">(model, data, [](const auto& scores) { return argmax(scores); })
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
  return predict<"logits">(network);
#else
  return predict<"logits">(network, rows());
#endif
}
