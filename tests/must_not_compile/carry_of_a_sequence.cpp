// All states of a window where its last one is carried.
// expect(g++): carry: output \'states\' has steps; carry a last state, which has none, as \'states.h_n\'
// expect(clang): "carry: output \'states\' has steps;
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", token<9>, steps<5>>, input<"h0", features<4>>, node<"e", embedding<9, 4>, "x">,
          node<"states", gru<4>, "e", "h0">, node<"logits", linear<9>, "states">, output<"logits">,
          output<"states">, output<"states.h_n">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<8>>;
void use(training& train, const std::vector<int>& text) {
#ifdef MISTAKE
  fit(train, contiguous<"x", carry<"states", "h0">>(text));
#else
  fit(train, contiguous<"x", carry<"states.h_n", "h0">>(text));
#endif
}
