// A node that is no output.
// expect(g++): \'embedded\' is a node of the graph, not an output; add output<\"embedded\"> to the graph
// expect(clang): "\'embedded\' is a node of the graph,"
// expect(clang): "not an output; add"
// expect(clang): "output<\"embedded\"> to the graph"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
view<const float> use(const inference<model>& run) {
  return get<"embedded">(run);
}
#else
view<const float> use(const inference<model>& run) {
  return get<"states">(run);
}
#endif
