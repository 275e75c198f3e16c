// A state for an input of another size.
// expect(g++): carry: input \'h1\' takes 3 features, got 4; output \'states.h_n\' becomes this input
// expect(clang): "carry: input \'h1\' takes 3
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", token<9>, steps<5>>, input<"h0", features<4>>, input<"h1", features<3>>,
          node<"e", embedding<9, 4>, "x">, node<"states", gru<4>, "e", "h0">, node<"two", linear<3>, "h1">,
          node<"logits", linear<9>, "states">, output<"logits">, output<"states.h_n">, output<"two">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<8>>;
void use(training& train, const std::vector<int>& text) {
#ifdef MISTAKE
  fit(train, contiguous<"x", carry<"states.h_n", "h1">>(text));
#else
  fit(train, contiguous<"x", carry<"states.h_n", "h0">, carry<"two", "h1">>(text));
#endif
}
