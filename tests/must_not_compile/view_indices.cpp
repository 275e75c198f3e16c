// An element of an output of three axes, by two indices.
// expect(g++): no match for call to
// expect(g++): (tenon::v0_1::view<const float, 3>) (int, int)
// expect(clang): no matching function for call to object of type 'view<const float, 3>'
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
float use(const inference<model>& run) {
#ifdef MISTAKE
  return get<"states">(run)(0, 3);
#else
  return get<"states">(run)(0, 5, 3) + get<"states">(run)[0][5](3);
#endif
}
