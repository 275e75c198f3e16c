// The name of an output as the first argument.
// expect(g++): the name must be in angle brackets; write get<\"name\">(session)
// expect(clang): "the name must be in angle"
// expect(clang): "brackets; write"
// expect(clang): "get<\"name\">(session)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
auto use(inference<model>& run) {
#ifdef MISTAKE
  return get("logits", run);
#else
  return get<"logits">(run);
#endif
}
