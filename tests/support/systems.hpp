// Graphs that several tests share.
#pragma once

#include "tenon/graph/graph.hpp"
#include "tenon/nn/nn.hpp"

namespace tenon::test {
using namespace nn;

// S1, the index lookup.
using index_lookup = graph<"index_lookup", input<"tokens", token<10>, steps<10>>, input<"index", token<10>>,
                           node<"embedded", embedding<10, 128>, "tokens">,
                           node<"states", lstm<32, bidirectional, layers<2>, dropout<0.5>>, "embedded">,
                           node<"query", chain<embedding<10, 128>, linear<64>>, "index">,
                           node<"context", attention<score::dot>, "query", "states">,
                           node<"logits", linear<10>, "context">, output<"logits">>;
// S4, surnames.
using surnames =
    graph<"surnames", input<"name", token<256>, steps<32>>, node<"embedded", embedding<256, 64>, "name">,
          node<"states", gru<100>, "embedded">, node<"logits", linear<18>, "states.final">, output<"logits">>;

}  // namespace tenon::test
