// With TENON_BATCH_INVARIANT a row of a batch is the single run, bit by bit.
// flags: -DTENON_BATCH_INVARIANT
#include "support/check_batches.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

TEST_CASE("recurrent layers") {
  check_batches<of_steps<lstm<3>>>();
  check_batches<of_steps<lstm<19, bidirectional, layers<2>>>>();
  check_batches<of_steps<gru<37>>>();
  check_batches<of_steps<rnn<8>>>();
  check_batches<of_steps<lstm<150>>>();  // more weights than a stage of several rows takes
}
TEST_CASE("products, deep and narrow ones") {
  check_batches<without_steps<linear<1>, 7>>();
  check_batches<without_steps<linear<41>, 600>>();
  check_batches<
      without_steps<chain<linear<130>, activation::tanh, layer_norm, linear<9>, activation::softmax>, 31>>();
}
TEST_CASE("attention, windows, tables") {
  check_batches<of_steps<transformer_encoder<20, 2, 31>, 20, 19>>();
  check_batches<of_steps<chain<conv1d<11, 3, same_padding>, activation::gelu>>>();
  check_batches<of_steps<attention_over<5>>>();
  check_batches<graph<"words", input<"x", token<23>, steps<7>>, node<"e", embedding<23, 17>, "x">,
                      node<"y", gru<9>, "e">, output<"y">>>();
}

TEST_CASE("the reference needs no option") {
  check_batches<of_steps<gru<5>>, backend::reference>();
  check_batches<without_steps<linear<3>, 600>, backend::reference>();
}

}  // namespace tenon::test
