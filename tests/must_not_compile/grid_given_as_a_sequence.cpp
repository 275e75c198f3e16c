// An image given as a tensor of places.
// expect(g++): input \'x\' takes 4 dimensions, got 3; give a tensor [batch, 2, 3, 2]
// expect(clang): "input \'x\' takes 4 dimensions, got"
// expect(clang): "3; give a tensor [batch, 2, 3, 2]"
#include <tenon/tenon.hpp>

#include <xtensor/xtensor.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using given = xt::xtensor<float, 3>;
#else
using given = xt::xtensor<float, 4>;
#endif
using model = graph<"model", input<"x", features<2>, grid<2, 3>>, node<"y", flatten, "x">, output<"y">>;
void give(inference<model>& run, const given& x) { set_input<"x">(run, x); }
