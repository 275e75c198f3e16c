// A session that is bound to parameters which end with the line.
// expect(g++): the parameters end with this line, and the session reads them later; give them a name: parameters<graph> theta;
// expect(clang): the parameters end with this line, and the session reads them later; give them a name: parameters<graph> theta;
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use() {
#ifdef MISTAKE
  inference<model> run(parameters<model>{});
#else
  parameters<model> theta;
  inference<model> run(theta);
#endif
  static_cast<void>(run);
}
