// A long series of numbers for an input of tokens.
// expect(g++): input \'x\': tokens are whole numbers, got float; give int
// expect(clang): "input \'x\': tokens are whole"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<9>, steps<5>>, node<"e", embedding<9, 4>, "x">,
                    node<"states", gru<4>, "e">, node<"logits", linear<9>, "states">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<8>>;
#ifdef MISTAKE
using one_step = float;
#else
using one_step = int;
#endif
void use(training& train, const std::vector<one_step>& series) {
  fit(train, contiguous<"x">(series), {.epochs = 3});
}
