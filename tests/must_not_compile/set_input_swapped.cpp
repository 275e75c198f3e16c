// The value in front of the session.
// expect(g++): the first argument is not a session; write set_input<\"name\">(session, value)
// expect(clang): "the first argument is not a"
// expect(clang): "session; write"
// expect(clang): "set_input<\"name\">(session, value)"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

void give(inference<model>& run, const std::vector<float>& x) {
#ifdef MISTAKE
  set_input<"x">(x, run);
#else
  set_input<"x">(run, x);
#endif
}
