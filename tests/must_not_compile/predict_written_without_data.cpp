// A decoder, and no data.
// expect(g++): predict takes what greedy, generate or beam_search has returned, data, and maybe a function of it and a row, as in predict(write, data, [](const auto& write, int row) { return write.has_ended(row); })
// expect(clang): predict takes what greedy, generate or beam_search has returned, data, and maybe a function of it and a row, as in predict(write, data, [](const auto& write, int row) { return write.has_ended(row); })
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
  return predict(write);
#else
  return predict(write, rows());
#endif
}
