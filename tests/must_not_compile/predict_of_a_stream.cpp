// A stream in the place of an inference.
// expect(g++): predict of an output takes an inference, which runs a graph forward; write inference<graph, batch<32>> model(theta); what a stream writes is predict(write, data), of write = greedy<\"input\">(stream, ..)
// expect(clang): "predict of an output takes an"
// expect(clang): "inference, which runs a graph"
// expect(clang): "forward; write inference<graph,"
// expect(clang): "batch<32>> model(theta); what a"
// expect(clang): "stream writes is predict(write,"
// expect(clang): "data), of write ="
// expect(clang): "greedy<\"input\">(stream, ..)"
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
  return predict<"logits">(live, rows());
#else
  return predict(write, rows());
#endif
}
