// The name of the output as the first argument.
// expect(g++): predict takes an inference, maybe parameters, data, and maybe a function of a row of each output, as in predict<\"logits\">(model, data, [](const auto& scores) { return argmax(scores); })
// expect(clang): predict takes an inference, maybe parameters, data, and maybe a function of a row of each output, as in predict<"logits">(model, data, [](const auto& scores) { return argmax(scores); })
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
auto use(inference<model, batch<4>>& network) {
  const auto rows = data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }));
#ifdef MISTAKE
  return predict("logits", network, rows);
#else
  return predict<"logits">(network, rows);
#endif
}
