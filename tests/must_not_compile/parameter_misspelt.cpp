// A misspelt parameter.
// expect(g++): the graph has no parameter \'logits.wieght\'; did you mean \'logits.weight\'?
// expect(clang): "the graph has no parameter"
// expect(clang): "\'logits.wieght\'; did you mean"
// expect(clang): "\'logits.weight\'?"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
view<float> use(parameters<model>& theta) {
  return get<"logits.wieght">(theta);
}
#else
view<float> use(parameters<model>& theta) {
  return get<"logits.weight">(theta);
}
#endif
