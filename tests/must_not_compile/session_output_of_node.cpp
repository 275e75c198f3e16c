// A node that is no output.
// expect(g++): the graph has no output \'embedded\'; only what an output<> names can be read
// expect(clang): "the graph has no output"
// expect(clang): "\'embedded\'; only what an output<>"
// expect(clang): "names can be read"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"x", features<8>>,
                    node<"embedded", embedding<10, 8>, "tokens">, node<"states", gru<4>, "embedded">,
                    node<"logits", linear<3>, "x">, output<"states">, output<"logits">>;

#ifdef MISTAKE
view<const float> use(const inference<model>& run) {
  return run.output<"embedded">();
}
#else
view<const float> use(const inference<model>& run) {
  return run.output<"states">();
}
#endif
