// A view of tokens that the next batch replaces.
// expect(g++): the function of a row returns a view of what the next batch replaces; return a copy, std::vector<int>(text.begin(), text.end())
// expect(clang): "the function of a row returns a"
// expect(clang): "view of what the next batch"
// expect(clang): "replaces; return a copy,"
// expect(clang): "std::vector<int>(text.begin(),"
// expect(clang): "text.end())"
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
  return predict(write, rows(), [](const auto& written, int row) { return written.text(row); });
#else
  return predict(write, rows(), [](const auto& written, int row) { return written.text(row).size(); });
#endif
}
