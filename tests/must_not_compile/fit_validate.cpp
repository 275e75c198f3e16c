// A share of the rows where the data that validate stand.
// expect(g++): \'double\' is not a data set; write data_set(column<\"x\">(..), column<\"target\">(..)), or a type with size() and set_inputs(session, rows)
// expect(clang): "\'double\' is not a data set; write"
// expect(clang): "data_set(column<\"x\">(..),"
// expect(clang): "column<\"target\">(..)), or a type"
// expect(clang): "with size() and"
// expect(clang): "set_inputs(session, rows)"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use(training& train) {
#ifdef MISTAKE
  fit(train, rows(), {.validate = 0.1});
#else
  fit(train, rows(), {.validate = split(rows(), 0.1, seed{1}).part});
#endif
}
