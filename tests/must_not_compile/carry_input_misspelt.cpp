// A state for an input that the graph does not have.
// expect(g++): the graph has no input \'h_0\'; its inputs are \'x\', \'h0\', \'target\'
// expect(clang): "the graph has no input \'h_0\'; its"
// expect(clang): "inputs are \'x\', \'h0\', \'target\'"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<9>, steps<5>>, input<"h0", features<4>>,
                    node<"e", embedding<9, 4>, "x">, node<"states", gru<4>, "e", "h0">,
                    node<"logits", linear<9>, "states">, output<"logits">, output<"states.h_n">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<8>>;
void use(training& train, const std::vector<int>& text) {
#ifdef MISTAKE
  fit(train, contiguous<"x", carry<"states.h_n", "h_0">>(text));
#else
  fit(train, contiguous<"x", carry<"states.h_n", "h0">>(text));
#endif
}
