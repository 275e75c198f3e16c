// Recurrent networks, tokens, dropout and attention on Thrust's device.
#include "backend/thrust/laws.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/learned_vector.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

using lookup = graph<"lookup", input<"tokens", token<7>, steps<4>>, input<"index", token<5>>,
                     node<"embedded", embedding<7, 5, padding_idx<2>>, "tokens">,
                     node<"states", lstm<3, bidirectional, layers<2>, dropout<0.3>>, "embedded">,
                     node<"query", chain<embedding<5, 4>, linear<6>>, "index">,
                     node<"context", attention<score::dot>, "query", "states">,
                     node<"logits", linear<2>, "context">, output<"logits">, output<"states.h_n">>;
TEST_CASE("embedding, bidirectional layers with dropout, attention") { check_device_laws<lookup>(); }

using carried = graph<"carried", input<"x", features<3>, steps<4>>, input<"h0", features<5>>,
                      node<"states", gru<5>, "x", "h0">, output<"states">, output<"states.final">>;
TEST_CASE("an initial state that is given") { check_device_laws<carried>(); }

using started = graph<"started", input<"x", features<3>, steps<4>>, node<"h0", learned_vector<5, layers<2>>>,
                      node<"states", gru<5, layers<2>>, "x", "h0">, output<"states">, output<"states.h_n">>;
TEST_CASE("initial states that are learned") { check_device_laws<started>(); }

using counted = graph<"counted", input<"tokens", token<4>, steps<4>>,
                      node<"y", embedding<4, 3, scale_grad_by_freq>, "tokens">, output<"y">>;
TEST_CASE("a gradient by frequency") {
  trial<oracle, counted, 6> exact(9);
  trial<device<float>, counted, 6> there(9);
  const sample<counted> s({3, 0, 4, 1, 2}, 1);
  check_near(exact(s), there(s), 1e-5, 1e-4);
}

}  // namespace tenon::test
