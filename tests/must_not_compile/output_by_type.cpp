// A type where the name of an output is wanted.
// expect(g++): the name of an output must be a text, got a type; write get<\"name\">(session)
// expect(clang): "the name of an output must be a"
// expect(clang): "text, got a type; write"
// expect(clang): "get<\"name\">(session)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

void read(inference<model>& run) {
#ifdef MISTAKE
  get<model>(run);
#else
  get<"y">(run);
#endif
}
