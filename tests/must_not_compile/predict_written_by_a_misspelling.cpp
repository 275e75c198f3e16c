// What writes was refused: no second error follows.
// expect(g++): the graph has no input \'wrd\'; did you mean \'word\'?
// expect(clang): "the graph has no input \'wrd\'; did
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
#ifdef MISTAKE
  auto write = greedy<"wrd">(live, {.start = 1, .max_steps = 6});
#else
  auto write = greedy<"word">(live, {.start = 1, .max_steps = 6});
#endif
  return predict(write, rows());
}
