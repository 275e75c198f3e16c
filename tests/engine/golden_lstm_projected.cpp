#include "engine/golden_recurrent.hpp"

using namespace tenon;
using namespace tenon::nn;
using tenon::test::check_recurrent_everywhere;

TEST_CASE("LSTM with a projected state agrees with PyTorch's proj_size") {
  check_recurrent_everywhere<lstm<4, proj_size<3>, no_bias>, 1>("lstm_proj_l1_uni_nobias");
  check_recurrent_everywhere<lstm<4, proj_size<3>, bidirectional, layers<2>>, 4>("lstm_proj_l2_bi");
}
