// Parameters in double, copied to float.
// expect(g++): the parameters given are of another scalar; write parameters<graph, double>, or copy each number of data()
// expect(clang): the parameters given are of another scalar; write parameters<graph, double>, or copy each number of data()
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
void use([[maybe_unused]] const parameters<model, double>& exact) {
#ifdef MISTAKE
  const parameters<model> theta(exact);
#else
  const parameters<model, double> theta(exact);
#endif
  theta.data();
}
