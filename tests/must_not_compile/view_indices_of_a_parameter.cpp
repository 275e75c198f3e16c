// An element of a matrix by one index, checked or not.
// expect(g++): (tenon::v0_1::view<float, 2>) (int)
// expect(clang): no matching function for call to object of type 'view<float, 2>'
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(parameters<model>& theta) {
#ifdef MISTAKE
  get<"y.weight">(theta)(3) = 1;
#else
  get<"y.weight">(theta)(3, 0) = 1;
  get<"y.weight">(theta).at(3, 0) = 1;
#endif
}
