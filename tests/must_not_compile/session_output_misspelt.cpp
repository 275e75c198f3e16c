// A misspelt output.
// expect(g++): the graph has no output \'logit\'; did you mean \'logits\'?
// expect(clang): "the graph has no output \'logit\';"
// expect(clang): "did you mean \'logits\'?"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
view<const float> use(const inference<model>& run) {
  return get<"logit">(run);
}
#else
view<const float> use(const inference<model>& run) {
  return get<"logits">(run);
}
#endif
