// A whole sequence for what a stream takes a step at a time.
// expect(g++): input \'word\' has steps, and a stream takes those one at a time; write live.step(..), or decode with greedy<\"word\">(live, ..)
// expect(clang): "input \'word\' has steps, and a"
// expect(clang): "stream takes those one at a time;"
// expect(clang): "write live.step(..), or decode"
// expect(clang): "with greedy<\"word\">(live, ..)"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using translator =
    graph<"translator", input<"source", token<9>, steps<7, "source">>,
          input<"word", token<8>, steps<6, "target">>, node<"read", chain<embedding<9, 4>, gru<5>>, "source">,
          node<"before", embedding<8, 4>, "word">, node<"decoder", gru<5>, "before", "read.1.final">,
          node<"logits", linear<8>, "decoder">, output<"logits">>;
void use(streaming<translator, batch<4>>& live) {
  set_input<"source">(live, std::vector<std::vector<int>>{{1, 2}});
#ifdef MISTAKE
  set_input<"word">(live, std::vector<std::vector<int>>{{1, 2}});
#else
  live.step(std::vector{1});
#endif
}
