// LSTM-f, -i, -o and -b: against loops in double, the laws, names, and how LSTM-b starts.
#include "tenon/nn/cell/lstm_variants.hpp"

#include "nn/cell/loop.hpp"
#include "support/laws.hpp"

namespace tenon::test {
using namespace nn;

constexpr std::size_t H = 3;

// The sum of a gate, number `gate` of those that are stored.
row sum_of_gate(const loop_parameters& p, const row& x, const row& h, std::size_t gate) {
  row s = p.times("weight_ih", x, H, gate), u = p.times("weight_hh", h, H, gate);
  for (std::size_t j = 0; j < H; ++j)
    s[j] += u[j] + p.entry("bias_ih", gate * H + j) + p.entry("bias_hh", gate * H + j);
  return s;
}
// The LSTM with 1 for each gate that is not in `gates`, the order of storage.
loop_step lstm_with(const std::string& gates) {
  return [gates](const loop_parameters& p, const row& x, const std::vector<row>& s) {
    std::vector<row> next(2, row(H));
    for (std::size_t j = 0; j < H; ++j) {
      const auto gate = [&](char g) {
        const std::size_t at = gates.find(g);
        return at == std::string::npos ? 1 : logistic(sum_of_gate(p, x, s[0], at)[j]);
      };
      const double g = std::tanh(sum_of_gate(p, x, s[0], gates.find('g'))[j]);
      next[1][j] = gate('f') * s[1][j] + gate('i') * g;
      next[0][j] = gate('o') * std::tanh(next[1][j]);
    }
    return next;
  };
}

TEST_CASE("each variant computes what is left of the LSTM") {
  check_against_loop<oracle, recurrent<cells::lstm_f, hidden<3>>, 4, 3>(lstm_with("igo"));
  check_against_loop<oracle, recurrent<cells::lstm_i, hidden<3>>, 4, 3>(lstm_with("fgo"));
  check_against_loop<oracle, recurrent<cells::lstm_o, hidden<3>>, 4, 3>(lstm_with("ifg"));
  check_against_loop<oracle, recurrent<cells::lstm_b, hidden<3>>, 4, 3>(lstm_with("ifgo"));
}
TEST_CASE("the laws of LSTM-f, -i and -o") {
  check_laws<over_time<recurrent<cells::lstm_f, hidden<3>>, 2>>();
  check_laws<over_time<recurrent<cells::lstm_i, hidden<2>, bidirectional>, 3>>();
  check_laws<over_time<recurrent<cells::lstm_o, hidden<2>, layers<2>>, 2>>();
}

using opened = over_time<recurrent<cells::lstm_b, hidden<5>, layers<2>, bidirectional>, 3>;
using plain = over_time<lstm<5, layers<2>, bidirectional>, 3>;

TEST_CASE("LSTM-b has the LSTM's parameters; its forget gate starts with the bias 1, all else alike") {
  const parameters<opened> theta(seed{4});
  const parameters<plain> others(seed{4});
  static_assert(parameters<opened>::block_size == parameters<plain>::block_size);
  int of_gate = 0;
  theta.for_each([&](std::string_view path, auto v) {
    others.for_each([&](std::string_view other, auto w) {
      if (path != other) return;
      const bool is_input_bias = path.find("bias_ih") != path.npos, is_bias = path.find("bias_") != path.npos;
      for (std::size_t k = 0; k < v.size(); ++k) {
        const bool is_forget_gate = is_bias && k >= 5 && k < 10;  // i, f, g, o
        of_gate += is_forget_gate;
        CHECK(v.data()[k] == (is_forget_gate ? (is_input_bias ? 1.0f : 0.0f) : w.data()[k]));
      }
    });
  });
  CHECK(of_gate == 4 * 2 * 5);
}

}  // namespace tenon::test
