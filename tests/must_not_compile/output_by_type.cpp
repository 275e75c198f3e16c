// A type where the name of an output is wanted.
// expect(g++): a type is given as the name of an output, which is a text; write get<\"name\">(session)
// expect(clang): "a type is given as the name of an"
// expect(clang): "output, which is a text; write"
// expect(clang): "get<\"name\">(session)"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

void read(inference<model>& run) {
#ifdef MISTAKE
  get<model>(run);
#else
  get<"y">(run);
#endif
}
