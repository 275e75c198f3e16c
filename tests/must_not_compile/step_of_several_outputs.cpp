// The result of a step with several outputs, as if it were the first of them.
// expect(g++): a call of a graph with several outputs returns all of them; take them apart, auto [logits, states] = live.step(x), or read one by its name, get<\"logits\">(live)
// expect(clang): a call of a graph with several outputs returns all of them; take them apart, auto [logits, states] = live.step(x), or read one by its name
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", token<9>, steps<6>>, node<"states", chain<embedding<9, 4>, gru<4>>, "x">,
          node<"logits", linear<9>, "states">, output<"logits">, output<"states">>;
void use(streaming<model>& live, const parameters<model>& theta, const std::vector<int>& x) {
#ifdef MISTAKE
  (void)softmax(live.step(theta, x)[0]);
#else
  const auto [logits, states] = live.step(theta, x);
  (void)softmax(logits[0]), (void)states[0];
#endif
}
