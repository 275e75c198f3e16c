// An output by its number.
// expect(g++): a name is a text in double quotes, got a number; its outputs are \'y\'
// expect(clang): "a name is a text in double quotes,"
// expect(clang): "got a number; its outputs are \'y\'"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
float use(inference<model>& run) {
#ifdef MISTAKE
  return get<0>(run)(0, 0);
#else
  return get<"y">(run)(0, 0);
#endif
}
