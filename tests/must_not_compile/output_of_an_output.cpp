// An output is read from what a call has returned, which is the output.
// expect(g++): the first argument is not a session; write get<\"name\">(session)
// expect(clang): "the first argument is not a"
// expect(clang): "session; write"
// expect(clang): "get<\"name\">(session)"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

float first(inference<model>& run, const std::vector<float>& x) {
#ifdef MISTAKE
  return get<"y">(run(x))(0, 0);
#else
  return run(x)(0, 0);
#endif
}
