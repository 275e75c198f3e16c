// The name of an input as an argument.
// expect(g++): the name stands in angle brackets; write input<\"name\">(value)
// expect(clang): "the name stands in angle brackets;"
// expect(clang): "write input<\"name\">(value)"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(inference<model>& run, view<const float> x) {
#ifdef MISTAKE
  run.input("x", x);
#else
  run.input<"x">(x);
#endif
}
