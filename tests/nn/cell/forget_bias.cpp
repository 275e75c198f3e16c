// forget_bias<value>: how the biases of the gate "f" start in the LSTM, in a cell with its own start, and in a cell with one bias;
// everything else, and the results, are the same as without it.
#include "tenon/nn/cell/forget_bias.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

template <class Layer>
using over = graph<"over", input<"x", features<3>, steps<4>>, node<"h", Layer, "x">, output<"h">>;

// Gate f of the first layer: elements [5, 10) of the gates' biases.
template <class G>
void check_biases(const char* name, float expected) {
  const parameters<G> theta(seed{4});
  const parameters<over<lstm<5, layers<2>>>> plain(seed{4});
  int seen = 0;
  theta.for_each([&](std::string_view path, const view<const float>& v) {
    if (path == name)
      for (std::size_t k = 5; k < 10; ++k, ++seen) CHECK(v(k) == expected);
    plain.for_each([&](std::string_view other, const view<const float>& w) {
      if (path != other) return;
      for (std::size_t k = 0; k < v.size(); ++k)
        if (v.rank() == 2 || k < 5 || k >= 10) REQUIRE(v.data()[k] == w.data()[k]);
    });
  });
  CHECK(seen == 5);
}
struct open_input : cells::lstm {
  static constexpr init::start starts[]{{"U", init::identity()}, {"b_W", "f", init::constant(-7)}};
};
struct one_bias : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto f = sigmoid(W<"f">(x) + U<"f">(h) + b<"f">);
    return f * h + (1 - f) * tanh(W<"n">(x) + b<"n">);
  }
};

TEST_CASE("of two biases one starts at the value and one at 0, in all layers") {
  using G = over<lstm<5, layers<2>, forget_bias<2.5>>>;
  check_biases<G>("h.bias_ih_l0", 2.5f);
  check_biases<G>("h.bias_hh_l1", 0);
  check_biases<over<lstm<5, layers<2>, zoneout<0.1>, forget_bias<1>>>>("h.bias_ih_l1", 1);
}
TEST_CASE("it comes before what the cell says, and leaves the rest of it") {
  const parameters<over<recurrent<open_input, hidden<5>, forget_bias<1>>>> theta(seed{4});
  CHECK(get<"h.bias_ih_l0">(theta)(7) == 1);
  CHECK(get<"h.weight_hh_l0">(theta)(6, 1) == 1);
  CHECK(get<"h.weight_hh_l0">(theta)(6, 2) == 0);
}
TEST_CASE("biases that an option leaves out are no mistake of the starts") {
  static_assert(check<over<lstm<5, no_bias, forget_bias<1>>>>() &&
                check<over<recurrent<cells::lstm_b, hidden<5>, no_bias>>>() &&
                check<over<recurrent<open_input, hidden<5>, no_bias, zoneout<0.1>>>>());
  CHECK(parameters<over<lstm<5, no_bias, forget_bias<1>>>>::table.size == 2);
}
TEST_CASE("of a cell with one bias it is that") {
  const parameters<over<recurrent<one_bias, hidden<5>, forget_bias<3>>>> theta(seed{4});
  for (float x : get<"h.b_f_l0">(theta)) CHECK(x == 3);
  for (float x : get<"h.b_n_l0">(theta)) CHECK(std::abs(x) < 1);
}
TEST_CASE("LSTM-b is an LSTM with a forget bias of 1") {
  const parameters<over<recurrent<cells::lstm_b, hidden<5>>>> theta(seed{4});
  const parameters<over<lstm<5, forget_bias<1>>>> same(seed{4});
  for (int k = 0; k < theta.block_size; ++k) REQUIRE(theta.data()[k] == same.data()[k]);
}
TEST_CASE("the laws of a cell with a forget bias") {
  check_laws<over<lstm<2, bidirectional, forget_bias<1>>>>();
}

}  // namespace tenon::test
