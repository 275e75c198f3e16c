// What all files of a program share about its network: the types, and the declaration that one file compiles the code they run.
#pragma once

#include <tenon/tenon.hpp>

using lookup_network = tenon::graph<
    "lookup", tenon::input<"tokens", tenon::token<10>, tenon::steps<10>>,
    tenon::input<"index", tenon::token<10>>, tenon::node<"embedded", tenon::nn::embedding<10, 128>, "tokens">,
    tenon::node<"states", tenon::nn::lstm<32, tenon::nn::bidirectional, tenon::layers<2>>, "embedded">,
    tenon::node<"query", tenon::nn::chain<tenon::nn::embedding<10, 128>, tenon::nn::linear<64>>, "index">,
    tenon::node<"context", tenon::nn::attention<tenon::nn::score::dot>, "query", "states">,
    tenon::node<"logits", tenon::nn::linear<10>, "context">, tenon::output<"logits">>;
using lookup_session = tenon::inference<lookup_network>;

#ifndef EVERY_FILE_COMPILES
TENON_DECLARE_SESSION(lookup_session);
#endif
