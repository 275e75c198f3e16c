// A parameter that the graph lacks, like no other name.
// expect(g++): the graph has no parameter \'table\'; parameters<G>::table lists them
// expect(clang): "the graph has no parameter"
// expect(clang): "lists them"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
view<const float> use(const parameters<model>& theta) {
  return get<"table">(theta);
}
#else
view<const float> use(const parameters<model>& theta) {
  return get<"embedded.weight">(theta);
}
#endif
