// A decoder that writes nothing.
// expect(g++): forced_decoding writes nothing: it judges an output that is given; predict what greedy, generate or beam_search writes
// expect(clang): "forced_decoding writes nothing: it"
// expect(clang): "judges an output that is given;"
// expect(clang): "predict what greedy, generate or"
// expect(clang): "beam_search writes"
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
  auto judge = forced_decoding<"word">(live, {.start = 1, .max_steps = 6});
  return predict(judge, rows());
#else
  return predict(write, rows());
#endif
}
