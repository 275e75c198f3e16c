// The name of an input as an argument.
// expect(g++): the name must be in angle brackets; write set_input<\"name\">(session, value)
// expect(clang): "the name must be in angle"
// expect(clang): "brackets; write"
// expect(clang): "set_input<\"name\">(session, value)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(inference<model>& run, view<const float> x) {
#ifdef MISTAKE
  set_input(run, "x", x);
#else
  set_input<"x">(run, x);
#endif
}
