// Threads share attention, windows, norms and tables with all bits of one thread: see threads.cpp.
// timeout: 300
#include "support/check_threads.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

TEST_CASE("blocks of a transformer") {
  check_threads<along<transformer_encoder<64, 4, 150>, 64, 18>, mean_square>();
  check_threads<along<transformer_encoder<20, 2, 31, is_causal, norm_first>, 20, 9>, mean_square>();
}
TEST_CASE("windows and norms") {
  check_threads<along<chain<conv1d<33, 3, same_padding>, activation::gelu, layer_norm>, 21, 9>,
                mean_square>();
}
TEST_CASE("tables, and attention over states") {
  using words =
      graph<"words", input<"words", token<23>, steps<7>>, node<"e", embedding<23, 17>, "words">,
            node<"states", gru<9, bidirectional>, "e">, node<"context", attention_over<5>, "states">,
            node<"y", linear<4>, "context">, output<"y">>;
  check_threads<words, losses::cross_entropy<"y">>();
}
TEST_CASE("a loss at each step") {
  using tags = graph<"tags", input<"words", token<23>, steps<6>>, node<"e", embedding<23, 9>, "words">,
                     node<"y", chain<rnn<12>, linear<70>>, "e">, output<"y">>;
  check_threads<tags, losses::cross_entropy<"y">>();
}

}  // namespace tenon::test
