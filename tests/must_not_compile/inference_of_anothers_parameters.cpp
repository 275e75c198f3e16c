// A session that is bound to the parameters of another graph.
// expect(g++): these are not the parameters of the session\'s graph; pass parameters<graph>, of the same graph
// expect(clang): these are not the parameters of the session's graph; pass parameters<graph>, of the same graph
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using other = graph<"other", input<"x", features<8>>, node<"y", linear<5>, "x">, output<"y">>;
void use(const parameters<model>& theta) {
#ifdef MISTAKE
  inference<other> run(theta);
#else
  inference<model> run(theta);
#endif
  static_cast<void>(run);
}
