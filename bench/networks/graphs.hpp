// The networks for training and inference. Without dropout, so that all contenders get the same loss.
#pragma once

#include <tenon/tenon.hpp>

namespace bench {

// The seed of every contender's initial parameters
inline constexpr tenon::seed first_parameters{2024};

// clang-format off
// Which digit is at this position of ten? Two bidirectional LSTM layers and attention.
using index_lookup_graph = tenon::graph<"index_lookup",
    tenon::input<"tokens", tenon::token<10>, tenon::steps<10>>,
    tenon::input<"index", tenon::token<10>>,
    tenon::node<"embedded", tenon::nn::embedding<10, 128>, "tokens">,
    tenon::node<"states", tenon::nn::lstm<32, tenon::nn::bidirectional, tenon::layers<2>>, "embedded">,
    tenon::node<"query", tenon::nn::chain<tenon::nn::embedding<10, 128>, tenon::nn::linear<64>>, "index">,
    tenon::node<"context", tenon::nn::attention<tenon::nn::score::dot>, "query", "states">,
    tenon::node<"logits", tenon::nn::linear<10>, "context">,
    tenon::output<"logits">>;

// From which of 18 languages does a name of 20 letters come?
using surnames_graph = tenon::graph<"surnames",
    tenon::input<"tokens", tenon::token<256>, tenon::steps<20>>,
    tenon::node<"embedded", tenon::nn::embedding<256, 64>, "tokens">,
    tenon::node<"states", tenon::nn::gru<100>, "embedded">,
    tenon::node<"logits", tenon::nn::linear<18>, "states.final">,
    tenon::output<"logits">>;

// The next character at each of 64 steps, RLtools' example.
using characters_graph = tenon::graph<"characters",
    tenon::input<"tokens", tenon::token<256>, tenon::steps<64>>,
    tenon::node<"embedded", tenon::nn::embedding<256, 32>, "tokens">,
    tenon::node<"states", tenon::nn::gru<64>, "embedded">,
    tenon::node<"logits", tenon::nn::linear<256>, "states">,
    tenon::output<"logits">>;

// Two LSTM layers of one size over 32 steps.
template <int Hidden>
using stack_graph = tenon::graph<"stack",
    tenon::input<"x", tenon::features<Hidden>, tenon::steps<32>>,
    tenon::node<"states", tenon::nn::lstm<Hidden, tenon::layers<2>>, "x">,
    tenon::node<"logits", tenon::nn::linear<10>, "states.final">,
    tenon::output<"logits">>;
// clang-format on

}  // namespace bench
