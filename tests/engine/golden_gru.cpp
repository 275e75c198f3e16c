#include "engine/golden_recurrent.hpp"

using namespace tenon;
using namespace tenon::nn;
using tenon::test::check_recurrent_everywhere;

TEST_CASE("GRU agrees with PyTorch in outputs, final states and all gradients") {
  check_recurrent_everywhere<gru<3>, 1>("gru_l1_uni");
  check_recurrent_everywhere<gru<3, bidirectional>, 2>("gru_l1_bi");
  check_recurrent_everywhere<gru<3, layers<2>>, 2>("gru_l2_uni");
  check_recurrent_everywhere<gru<3, bidirectional, layers<2>>, 4>("gru_l2_bi");
  check_recurrent_everywhere<gru<3, no_bias>, 1>("gru_l1_uni_nobias");
}
