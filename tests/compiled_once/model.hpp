// What all files of a program share about its network: the types, and the declaration that one file compiles the code they run.
#pragma once

#include <tenon/tenon.hpp>

using lookup_network =
    tenon::graph<"lookup", tenon::input<"tokens", tenon::token<10>, tenon::steps<10>>,
                 tenon::input<"index", tenon::token<10>>,
                 tenon::node<"embedded", tenon::embedding<10, 128>, "tokens">,
                 tenon::node<"states", tenon::lstm<32, tenon::bidirectional, tenon::layers<2>>, "embedded">,
                 tenon::node<"query", tenon::chain<tenon::embedding<10, 128>, tenon::linear<64>>, "index">,
                 tenon::node<"context", tenon::attention<tenon::score::dot>, "query", "states">,
                 tenon::node<"logits", tenon::linear<10>, "context">, tenon::output<"logits">>;
using lookup_session = tenon::inference<lookup_network>;

#ifndef EVERY_FILE_COMPILES
extern template class tenon::engine::executor<lookup_session::plan>;
#endif
