// The name of an output as an argument, and the output in a variable: one error, none of the variable's type.
// expect(g++): the name must be in angle brackets; write get<\"name\">(session)
// expect(clang): "the name must be in angle"
// expect(clang): "brackets; write"
// expect(clang): "get<\"name\">(session)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
float use(inference<model>& run) {
#ifdef MISTAKE
  const auto logits = get(run, "logits");
#else
  const auto logits = get<"logits">(run);
#endif
  return logits(0, 1);
}
