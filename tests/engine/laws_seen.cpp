// The laws of recurrences whose steps also see whole sequences and vectors, besides x and their states.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

// Bahdanau et al. 2015, the decoder.
struct attending_gru : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto e = matrix<"v", 1>(tanh(W<"a", 4>(s) + U<"a", 4>(memory) + b<"a">));
    const auto c = sum<"source">(softmax<"source">(e) * memory);
    const auto z = sigmoid(W<"z">(y) + U<"z">(s) + V<"z">(c) + b<"z">);
    const auto r = sigmoid(W<"r">(y) + U<"r">(s) + V<"r">(c));
    const auto n = tanh(W<"n">(y) + U<"n">(r * s) + V<"n">(c));
    return (1 - z) * s + z * n;
  }
};
// Luong et al. 2015: the state attends after its step, and the result is the output.
struct looking_lstm : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c, auto memory) {
    const auto next_c = sigmoid(W<"f">(x) + U<"f">(h)) * c + sigmoid(W<"i">(x) + U<"i">(h)) * tanh(W<"g">(x));
    const auto next_h = sigmoid(W<"o">(x) + U<"o">(h)) * tanh(next_c);
    const auto found = sum<"source">(softmax<"source">(dot(next_h, W<"a">(memory))) * memory);
    return next(next_h, next_c).emitting(tanh(V<"y", 5>(concat(found, next_h))));
  }
};
struct conditioned : equations::symbols {
  static constexpr auto step(auto x, auto h, auto context) {
    return tanh(W<>(x) + U<>(h) + V<>(context)) + h * slice<0, 1>(context);
  }
};
struct between : equations::symbols {  // both at once, and the mean and the last step of the sequence it sees
  static constexpr auto step(auto x, auto h, auto context, auto memory) {
    const auto near = mean<"source">(tanh(U<"m">(memory) * h + context)) + last<"source">(W<"l">(memory));
    return tanh(W<>(x) + near);
  }
};

template <class Cell, int Hidden, int X = 2, int Memory = 3, int T = 3, int S = 4, class... Options>
using decoder =
    graph<"decoder", input<"x", features<X>, steps<T, "target">>,
          input<"m", features<Memory>, steps<S, "source">>,
          node<"y", recurrent<Cell, hidden<Hidden>, Options...>, "x", "m">, output<"y">, output<"y.final">>;

TEST_CASE("a decoder that attends") {
  check_laws<decoder<attending_gru, 5>>();
  check_laws<decoder<attending_gru, 1, 1, 1, 4, 2>>();
}
TEST_CASE("a decoder whose output attends") { check_laws<decoder<looking_lstm, 3>>(); }
TEST_CASE("both ways, two layers, initial states") {
  check_laws<decoder<attending_gru, 2, 2, 3, 3, 3, bidirectional, layers<2>>>();
  check_laws<
      graph<"given", input<"x", features<2>, steps<3, "target">>, input<"h", features<4>, layers<1>>,
            input<"m", features<2>, steps<2, "source">>,
            node<"y", recurrent<attending_gru, hidden<4>>, "x", "h", "m">, output<"y">, output<"y.h_n">>>();
}
TEST_CASE("what is the same at every step") {
  check_laws<graph<"conditioned", input<"x", features<2>, steps<3>>, input<"c", features<3>>,
                   node<"y", recurrent<conditioned, hidden<4>>, "x", "c">, output<"y">, output<"y.final">>>();
  check_laws<graph<"between", input<"x", features<2>, steps<3, "target">>, input<"c", features<1>>,
                   input<"m", features<2>, steps<3, "source">>,
                   node<"y", recurrent<between, hidden<3>>, "x", "c", "m">, output<"y">>>();
}
// Sees the whole sequence along which it steps.
struct looking_back : equations::symbols {
  static constexpr auto step(auto x, auto h, auto all) {
    return tanh(W<>(x) + sum<"time">(softmax<"time">(dot(h, all)) * all));
  }
};
TEST_CASE("its own sequence") {
  check_laws<graph<"own", input<"x", features<3>, steps<4>>,
                   node<"y", recurrent<looking_back, hidden<3>>, "x", "x">, output<"y">>>();
}

}  // namespace tenon::test
