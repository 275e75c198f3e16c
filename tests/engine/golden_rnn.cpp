#include "engine/golden_recurrent.hpp"

using namespace tenon;
using namespace tenon::nn;
using tenon::test::check_recurrent_everywhere;

TEST_CASE("the simple RNN with tanh agrees with PyTorch in outputs, final states and all gradients") {
  check_recurrent_everywhere<rnn<3>, 1>("rnn_tanh_l1_uni");
  check_recurrent_everywhere<rnn<3, bidirectional>, 2>("rnn_tanh_l1_bi");
  check_recurrent_everywhere<rnn<3, layers<2>>, 2>("rnn_tanh_l2_uni");
  check_recurrent_everywhere<rnn<3, bidirectional, layers<2>>, 4>("rnn_tanh_l2_bi");
}
TEST_CASE("the simple RNN with relu agrees with PyTorch in outputs, final states and all gradients") {
  check_recurrent_everywhere<recurrent<cells::rnn_relu, hidden<3>>, 1>("rnn_relu_l1_uni");
  check_recurrent_everywhere<recurrent<cells::rnn_relu, hidden<3>, bidirectional>, 2>("rnn_relu_l1_bi");
  check_recurrent_everywhere<recurrent<cells::rnn_relu, hidden<3>, layers<2>>, 2>("rnn_relu_l2_uni");
  check_recurrent_everywhere<recurrent<cells::rnn_relu, hidden<3>, bidirectional, layers<2>>, 4>(
      "rnn_relu_l2_bi");
}
