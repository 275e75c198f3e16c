// A transformer's layer and cross-entropy on the CUDA backend, its kernels in the emulation of blocks and threads: softmax and layer_norm are
// maps with sums over rows.
#include "backend/thrust/laws.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/normalization.hpp"

namespace tenon::test {
using namespace nn;

using seen = graph<"seen", input<"x", features<4>, steps<4>>,
                   node<"y", chain<multi_head<4, 2>, layer_norm>, "x">, output<"y">>;
TEST_CASE("attention of several heads and layer_norm") {
  check_device_laws<seen, machine<backend::cuda, float>>();
}

}  // namespace tenon::test
