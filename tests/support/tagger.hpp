// tagger: tokens and numbers in time, tokens and numbers of a row, initial states in layers; a target for each step. One input of each kind.
#pragma once

#include "tenon/nn/nn.hpp"

namespace tenon::test {
using namespace nn;

using tagger =
    graph<"tagger", input<"words", token<7>, steps<4>>, input<"x", features<3>, steps<4>>,
          input<"style", token<5>>, input<"speed", features<2>>, input<"h0", layers<2>, features<3>>,
          node<"e", embedding<7, 3>, "words">, node<"s", chain<embedding<5, 2>, linear<3>>, "style">,
          node<"v", linear<3>, "speed">, node<"sum", add, "e", "x">, node<"more", add, "sum", "s">,
          node<"most", add, "more", "v">, node<"h", rnn<3, bidirectional>, "most", "h0">,
          node<"tags", linear<6>, "h">, output<"tags">>;

}  // namespace tenon::test
