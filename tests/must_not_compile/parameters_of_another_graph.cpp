// Parameters that start as those of another graph.
// expect(g++): these are the parameters of another graph; copy what both have by name: get<\"node.weight\">(theta)
// expect(clang): these are the parameters of another graph; copy what both have by name: get<"node.weight">(theta)
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using other = graph<"other", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use(const parameters<other>& trained) {
#ifdef MISTAKE
  const parameters<model> theta(trained);
#else
  const parameters<other> theta(trained);
#endif
  static_cast<void>(theta);
}
