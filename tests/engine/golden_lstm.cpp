#include "engine/golden_recurrent.hpp"

using namespace tenon;
using namespace tenon::nn;
using tenon::test::check_recurrent_everywhere;

TEST_CASE("LSTM agrees with PyTorch in outputs, final states and all gradients") {
  check_recurrent_everywhere<lstm<3>, 1>("lstm_l1_uni");
  check_recurrent_everywhere<lstm<3, bidirectional>, 2>("lstm_l1_bi");
  check_recurrent_everywhere<lstm<3, layers<2>>, 2>("lstm_l2_uni");
  check_recurrent_everywhere<lstm<3, bidirectional, layers<2>>, 4>("lstm_l2_bi");
  check_recurrent_everywhere<lstm<3, no_bias>, 1>("lstm_l1_uni_nobias");
}
