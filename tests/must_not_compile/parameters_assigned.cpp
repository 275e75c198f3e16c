// The parameters of another graph, assigned.
// expect(g++): these are the parameters of another graph; copy what both have by name: get<\"node.weight\">(theta)
// expect(clang): "these are the parameters of"
// expect(clang): "another graph; copy what both have"
// expect(clang): "by name: get<\"node.weight\">(theta)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using other = graph<"other", input<"x", features<8>>, node<"y", linear<3>, "x">, output<"y">>;
void use(parameters<model>& theta, [[maybe_unused]] const parameters<other>& spare) {
#ifdef MISTAKE
  theta = spare;
#else
  theta = parameters<model>(seed{1});
#endif
}
