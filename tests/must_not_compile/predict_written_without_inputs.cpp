// A stream that has no input but the one that is written.
// expect(g++): the stream has no input but \'word\', which it writes itself: a row of data has no effect; begin with prompts, write(prompts)
// expect(clang): "the stream has no input but"
// expect(clang): "\'word\', which it writes itself: a"
// expect(clang): "row of data has no effect; begin"
// expect(clang): "with prompts, write(prompts)"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using writer =
    graph<"writer", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<5>>, "word">,
          node<"logits", linear<8>, "states">, output<"logits">>;
void use(streaming<writer, batch<4>>& live) {
  auto write = greedy<"word">(live, {.max_steps = 6});
  const std::vector<std::vector<int>> prompts{{1, 2}, {3}};
#ifdef MISTAKE
  predict(write, data_set(column<"word">(prompts)));
#else
  write(prompts);
#endif
}
