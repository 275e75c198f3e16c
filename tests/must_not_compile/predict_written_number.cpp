// A number of rows in the place of the data, for a decoder.
// expect(g++): \'int\' is not a data set; write data_set(column<\"x\">(..)), or a type with size() and set_inputs(session, rows)
// expect(clang): "\'int\' is not a data set; write"
// expect(clang): "data_set(column<\"x\">(..)), or a"
// expect(clang): "type with size() and"
// expect(clang): "set_inputs(session, rows)"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using translator =
    graph<"translator", input<"source", token<9>, steps<7, "source">>,
          input<"word", token<8>, steps<6, "target">>, node<"read", chain<embedding<9, 4>, gru<5>>, "source">,
          node<"before", embedding<8, 4>, "word">, node<"decoder", gru<5>, "before", "read.1.final">,
          node<"logits", linear<8>, "decoder">, output<"logits">>;
auto rows() {
  return data_set(column<"source">(9, [](int row) { return std::vector{row}; }));
}
auto use(streaming<translator, batch<4>>& live) {
  auto write = greedy<"word">(live, {.start = 1, .max_steps = 6});
#ifdef MISTAKE
  return predict(write, 9);
#else
  return predict(write, rows());
#endif
}
