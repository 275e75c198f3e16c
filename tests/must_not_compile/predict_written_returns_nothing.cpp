// A function that returns nothing, of what is written.
// expect(g++): the function of a row returns nothing; return what is to be kept of each row
// expect(clang): "the function of a row returns"
// expect(clang): "nothing; return what is to be kept"
// expect(clang): "of each row"
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
  return predict(write, rows(), [](const auto&, int) {});
#else
  return predict(write, rows(), [](const auto& written, int row) { return written.has_ended(row); });
#endif
}
