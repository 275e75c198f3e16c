// The outputs of a graph with an error, taken apart: the error of the graph alone.
// expect(g++): node \'logits\': linear expects 64 features, got 128 from \'embedded\'
// expect(clang): "node \'logits\': linear expects 64"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using logits = linear<10, features<64>>;
#else
using logits = linear<10, features<128>>;
#endif
using model = graph<"model", input<"token", token<10>>, node<"embedded", embedding<10, 128>, "token">,
                    node<"logits", logits, "embedded">, output<"logits">, output<"embedded">>;

int most_likely(inference<model>& run) {
  const auto [scores, embedded] = run(std::vector{3});
  return embedded(0, 0) > 0 ? argmax(scores[0]) : 0;
}
