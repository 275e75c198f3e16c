// The laws of cells that users write: with other states and other outputs than the library's.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

// The LSTM without its forget gate, with peepholes from the memory (Gers and Schmidhuber 2000).
struct peephole_cell : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) {
    auto i = sigmoid(W<"i">(x) + U<"i">(h) + vector<"p_i"> * c + b<"i">);
    auto c_next = c + i * tanh(W<"g">(x) + U<"g">(h) + b<"g">);
    return next(sigmoid(W<"o">(x) + U<"o">(h) + vector<"p_o"> * c_next + b<"o">) * tanh(c_next), c_next);
  }
};
// Three states, an output of another size than the state, and a normalised sum: what the library's cells do
// not have.
struct three_states_cell : equations::symbols {
  static constexpr auto step(auto x, auto a, auto m, auto s) {
    auto a_next = tanh(W<"a">(x) + U<"a">(m) + b<"a">);
    auto m_next = 0.9 * m + 0.1 * square(a_next) + U<"s">(s);
    auto s_next = softmax(s + a);
    return next(a_next, m_next, s_next).emitting(matrix<"V", 2>(a_next) + mean(m));
  }
};

// The value that is summed over rows for a gradient is also a state's adjoint: it continues where a row has ended.
struct adding_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(tanh(W<>(x) + h + b<>)); }
};
struct two_sums_cell : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) {
    auto p = c + tanh(W<"p">(x) + U<"p">(h) + c + b<"p">);
    auto r = tanh(p + h + b<"r">);
    return next(r * vector<"s">, p * vector<"k">);
  }
};
// The same for a state's adjoint that is composed of the adjoints of its slices.
struct sliced_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto y = h + b<"r">;
    return next(concat(tanh(slice<2, 2>(y) + W<"a">(x)), sigmoid(slice<0, 2>(y)) * W<"c">(x)));
  }
};
// Has no value at zero, which is the padding past a sequence's end.
struct logarithmic_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(log(abs(x + U<>(h)))); }
};

TEST_CASE("LSTM with peepholes") { check_laws<over_time<recurrent<peephole_cell, hidden<5>>, 2>>(); }
TEST_CASE("adjoints of states that are summed for gradients") {
  check_laws<over_time<recurrent<adding_cell, hidden<3>, bidirectional>, 2>>();
  check_laws<over_time<recurrent<two_sums_cell, hidden<3>, bidirectional>, 2>>();
  check_laws<over_time<recurrent<sliced_cell, hidden<4>, bidirectional>, 2, 4>>();
}
TEST_CASE("no value past the end") { check_laws<over_time<recurrent<logarithmic_cell, hidden<3>>, 3>>(); }
TEST_CASE("three states, and an output of its own size") {
  check_laws<graph<"three states", input<"x", features<3>, steps<4>>,
                   node<"y", recurrent<three_states_cell, hidden<3>>, "x">, output<"y">, output<"y.h_n">,
                   output<"y.c_n">, output<"y.state_2_n">>>();
}

}  // namespace tenon::test
