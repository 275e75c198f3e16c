// The name of a parameter as an argument.
// expect(g++): the name must be in angle brackets; write get<\"node.weight\">(theta)
// expect(clang): "the name must be in angle"
// expect(clang): "brackets; write"
// expect(clang): "get<\"node.weight\">(theta)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
auto use(const parameters<model>& theta) {
#ifdef MISTAKE
  return get(theta, "logits.weight");
#else
  return get<"logits.weight">(theta);
#endif
}
