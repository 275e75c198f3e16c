// The simple cell with the sigmoid (Elman 1990) against a loop in double, its laws and its names. With tanh and relu: engine/golden_rnn.
#include "tenon/nn/cell/rnn.hpp"

#include "nn/cell/loop.hpp"
#include "support/laws.hpp"

namespace tenon::test {
using namespace nn;

constexpr std::size_t H = 3;

std::vector<row> elman_loop(const loop_parameters& p, const row& x, const std::vector<row>& s) {
  row next(H);
  const row of_x = p.times("weight_ih", x, H), of_h = p.times("weight_hh", s[0], H);
  for (std::size_t j = 0; j < H; ++j)
    next[j] = logistic(of_x[j] + p.entry("bias_ih", j) + of_h[j] + p.entry("bias_hh", j));
  return {next};
}

TEST_CASE("Elman's cell") {
  check_against_loop<oracle, recurrent<cells::rnn_sigmoid, hidden<3>>, 4, 3>(elman_loop);
  check_against_loop<processor, recurrent<cells::rnn_sigmoid, hidden<3>>, 4, 3>(elman_loop);
}
TEST_CASE("the laws") {
  check_laws<over_time<recurrent<cells::rnn_sigmoid, hidden<3>, bidirectional, layers<2>>, 2>>();
}
TEST_CASE("it has PyTorch's names") {
  using G = over_time<recurrent<cells::rnn_sigmoid, hidden<3>>, 4>;
  static_assert(network_of<G>.find_parameter("y.weight_ih_l0") >= 0 &&
                network_of<G>.find_parameter("y.bias_hh_l0") >= 0);
  CHECK(parameters<G>::count() == 3 * 4 + 3 * 3 + 2 * 3);
}

}  // namespace tenon::test
