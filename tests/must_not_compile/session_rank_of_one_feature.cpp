// A tensor of another rank than an input of one feature, whose axis may be left out.
// expect(g++): input \'x\' takes 2 dimensions, got 3; give a tensor [batch, 1], or [batch]
// expect(clang): "input \'x\' takes 2 dimensions, got"
// expect(clang): "3; give a tensor [batch, 1], or"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<1>>, node<"y", linear<4>, "x">, output<"y">>;
void use(inference<model>& run, const view<const float, 3>& cube, const view<const float, 1>& row) {
#ifdef MISTAKE
  set_input<"x">(run, cube);
  static_cast<void>(row);
#else
  set_input<"x">(run, row);
  static_cast<void>(cube);
#endif
}
