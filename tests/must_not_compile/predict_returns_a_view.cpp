// A view of numbers that the next batch replaces.
// expect(g++): the function of a row returns a view, whose numbers the next batch replaces; return std::vector(row.begin(), row.end())
// expect(clang): "the function of a row returns a"
// expect(clang): "view, whose numbers the next batch"
// expect(clang): "replaces; return"
// expect(clang): "std::vector(row.begin(),"
// expect(clang): "row.end())"
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
  return predict<"logits">(network, rows(), [](const auto& scores) { return scores; });
#else
  return predict<"logits">(network, rows());
#endif
}
