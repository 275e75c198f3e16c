// The name of an output as an argument.
// expect(g++): the name stands in angle brackets; write output<\"name\">()
// expect(clang): "the name stands in angle brackets;"
// expect(clang): "write output<\"name\">()"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
auto use(inference<model>& run) {
#ifdef MISTAKE
  return run.output("logits");
#else
  return run.output<"logits">();
#endif
}
