// A trial of several rows with several features.
// expect(g++): try_run takes a flat range of each input: the steps of the only row
// expect(clang): "try_run takes a flat range of each"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<2>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
#ifdef MISTAKE
void use(streaming<model, batch<2>, block<4>>& live, const std::vector<std::vector<std::array<float, 2>>>& x) {
  live.try_run(x);
}
#else
void use(streaming<model, block<4>>& live, const std::vector<float>& x) { live.try_run(x); }
#endif
