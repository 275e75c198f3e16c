// A trial with a range for each row.
// expect(g++): try_step takes a flat range of each input: the numbers of all rows
// expect(clang): "try_step takes a flat range of"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
#ifdef MISTAKE
void use(streaming<model>& live, const std::vector<std::array<float, 2>>& x) {
  live.try_step(x);
}
#else
void use(streaming<model>& live, const std::vector<float>& x) { live.try_step(x); }
#endif
