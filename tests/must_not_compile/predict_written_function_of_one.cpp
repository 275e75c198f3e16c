// A function of the decoder without the row.
// expect(g++): the argument after the data cannot be called with the decoder, which is const, and a row; write [](const auto& write, int row) { return ..; }
// expect(clang): "the argument after the data cannot"
// expect(clang): "be called with the decoder, which"
// expect(clang): "is const, and a row; write"
// expect(clang): "[](const auto& write, int row) {"
// expect(clang): "return ..; }"
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
  return predict(write, rows(), [](const auto& written) { return written.rows(); });
#else
  return predict(write, rows(), [](const auto& written, int row) { return written.has_ended(row); });
#endif
}
