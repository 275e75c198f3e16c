// A bidirectional LSTM with dropout, tokens and a dense layer, and learned initial states, on the CUDA backend, its kernels in the emulation of
// blocks and threads.
#include "backend/thrust/laws.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/learned_vector.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

using read = graph<"read", input<"tokens", token<7>, steps<4>>,
                   node<"embedded", embedding<7, 5, padding_idx<2>>, "tokens">,
                   node<"states", lstm<3, bidirectional, layers<2>, dropout<0.3>>, "embedded">,
                   node<"logits", linear<2>, "states">, output<"logits">, output<"states.h_n">>;
TEST_CASE("embedding, bidirectional layers with dropout, a product") {
  check_device_laws<read, machine<backend::cuda, float>>();
}

using started =
    graph<"started", input<"x", features<3>, steps<4>>, node<"h0", learned_vector<5, layers<2>>>,
          node<"c0", learned_vector<5, layers<2>>>, node<"states", lstm<5, layers<2>>, "x", "h0", "c0">,
          output<"states">, output<"states.h_n">>;
TEST_CASE("initial states that are learned") { check_device_laws<started, machine<backend::cuda, float>>(); }

}  // namespace tenon::test
