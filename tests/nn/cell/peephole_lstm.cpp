// The LSTM with peepholes against a loop in double, and its laws.
#include "tenon/nn/cell/peephole_lstm.hpp"

#include "nn/cell/loop.hpp"
#include "support/laws.hpp"

namespace tenon::test {
using namespace nn;

constexpr std::size_t H = 3;

std::vector<row> peephole_loop(const loop_parameters& p, const row& x, const std::vector<row>& s) {
  std::vector<row> next(2, row(H));
  for (std::size_t j = 0; j < H; ++j) {
    const auto sum = [&](std::size_t gate) {
      return p.times("weight_ih", x, H, gate)[j] + p.times("weight_hh", s[0], H, gate)[j] +
             p.entry("bias_ih", gate * H + j) + p.entry("bias_hh", gate * H + j);
    };
    const double i = logistic(sum(0) + p.entry("p_i", j) * s[1][j]);
    const double f = logistic(sum(1) + p.entry("p_f", j) * s[1][j]);
    next[1][j] = f * s[1][j] + i * std::tanh(sum(2));
    next[0][j] = logistic(sum(3) + p.entry("p_o", j) * next[1][j]) * std::tanh(next[1][j]);
  }
  return next;
}

TEST_CASE("the gates see the cell state, the output gate the new one") {
  check_against_loop<oracle, recurrent<cells::peephole_lstm, hidden<3>>, 4, 3>(peephole_loop);
}
TEST_CASE("the laws") {
  check_laws<over_time<recurrent<cells::peephole_lstm, hidden<3>, bidirectional>, 2>>();
}
TEST_CASE("names") {
  using G = over_time<recurrent<cells::peephole_lstm, hidden<3>>, 4>;
  static_assert(network_of<G>.find_parameter("y.weight_ih_l0") >= 0 &&
                network_of<G>.find_parameter("y.p_o_l0") >= 0);
  CHECK(parameters<G>::count() == 12 * 4 + 12 * 3 + 2 * 12 + 3 * 3);
}

}  // namespace tenon::test
