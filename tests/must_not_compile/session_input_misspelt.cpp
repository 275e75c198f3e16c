// A misspelt input.
// expect(g++): the graph has no input \'tokenz\'; did you mean \'tokens\'?
// expect(clang): "the graph has no input \'tokenz\';"
// expect(clang): "did you mean \'tokens\'?"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
void use(inference<model>& run, const std::vector<float>& x, const std::vector<std::vector<int>>& tokens) {
  set_input<"x">(run, x);
  set_input<"tokenz">(run, tokens);
}
#else
void use(inference<model>& run, const std::vector<float>& x, const std::vector<std::vector<int>>& tokens) {
  set_input<"x">(run, x);
  set_input<"tokens">(run, tokens);
}
#endif
