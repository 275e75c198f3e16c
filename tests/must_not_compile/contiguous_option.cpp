// Something else where a long text has what its windows hand on.
// expect(g++): \'layers<2>\' cannot be carried from window to window; write contiguous<\"input\", carry<\"states.h_n\", \"h0\">>(text)
// expect(clang): "\'layers<2>\' cannot be carried from"
// expect(clang): "window to window; write"
// expect(clang): "contiguous<\"input\","
// expect(clang): "carry<\"states.h_n\", \"h0\">>(text)"
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
  const auto windows = contiguous<"x", layers<2>>(text);
#else
  const auto windows = contiguous<"x", carry<"states.h_n", "h0">>(text);
#endif
  fit(train, windows);
}
