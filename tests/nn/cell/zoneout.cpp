// zoneout: in training each unit has its new value or keeps its old one; in inference the mean of the two.
#include "tenon/nn/cell/zoneout.hpp"

#include "nn/cell/loop.hpp"
#include "support/laws.hpp"

namespace tenon::test {
using namespace nn;

// A state that counts steps, unit by unit, so that kept units show.
struct counting {
  static constexpr auto step(auto x, auto n) { return next(n + 1 + 0 * x); }
};
template <class Layer, int T = 30>
using counted = graph<"counted", input<"x", features<40>, steps<T>>, node<"y", Layer, "x">, output<"y">>;
using zoned = counted<recurrent<counting, hidden<40>, zoneout<0.25>>>;

TEST_CASE("in training a unit takes its new value or keeps the old one, in the share asked for") {
  differentiation<zoned, void, batch<3>> run;
  const parameters<zoned> theta(zeros{});
  std::vector<float> first;
  for (std::uint64_t step : {0u, 1u}) {
    run.randomness(seed{5}, step);
    const std::vector<float> nothing(3 * 30 * 40);
    set_input<"x">(run, as_sequences(nothing, 3, 30, 40));
    run.forward(theta);
    int kept = 0, other = 0;
    std::vector<float> all;
    for (int r = 0; r < 3; ++r)
      for (int t = 0; t < 30; ++t)
        for (int j = 0; j < 40; ++j) {
          const float now = get<"y">(run)(r, t, j), before = t == 0 ? 0 : get<"y">(run)(r, t - 1, j);
          const float change = std::abs(now - before);
          kept += change < 1e-4;
          other += std::abs(now - before - 1) > 1e-4 && now != before;
          all.push_back(now);
        }
    CHECK(other == 0);
    CHECK(std::abs(kept / (3 * 30 * 40.0) - 0.25) < 0.03);
    CHECK(all != first);  // other units at another step of training
    first = all;
  }
}
TEST_CASE("in inference a state goes the mean of both ways") {
  const parameters<zoned> theta(zeros{});
  inference<zoned, batch<1>> run(theta);
  const std::vector<float> nothing(30 * 40);
  set_input<"x">(run, as_sequences(nothing, 1, 30, 40));
  run.run();
  for (int t = 0; t < 30; ++t) CHECK(get<"y">(run)(0, t, 7) == doctest::Approx(0.75 * (t + 1)));
}

// h and c of the LSTM with separate rates; h is computed from the new c before zoneout.
std::vector<row> zoned_lstm(const loop_parameters& p, const row& x, const std::vector<row>& s) {
  constexpr std::size_t H = 3;
  std::vector<row> next(2, row(H));
  for (std::size_t j = 0; j < H; ++j) {
    const auto sum = [&](std::size_t gate) {
      return p.times("weight_ih", x, H, gate)[j] + p.times("weight_hh", s[0], H, gate)[j] +
             p.entry("bias_ih", gate * H + j) + p.entry("bias_hh", gate * H + j);
    };
    const double c = logistic(sum(1)) * s[1][j] + logistic(sum(0)) * std::tanh(sum(2));
    next[1][j] = 0.5 * s[1][j] + 0.5 * c;
    next[0][j] = 0.125 * s[0][j] + 0.875 * (logistic(sum(3)) * std::tanh(c));
  }
  return next;
}
TEST_CASE_TEMPLATE("a rate for each state", M, oracle, processor) {
  check_against_loop<M, lstm<3, zoneout<0.125, 0.5>>, 4, 3>(zoned_lstm);
}
TEST_CASE("the laws, gradients with what was kept among them") {
  check_laws<over_time<lstm<3, zoneout<0.25, 0.5>, bidirectional>, 2>>();
}
TEST_CASE("a cell with zoneout is a cell") {
  static_assert(concepts::Cell<zoneout<0.1>::cell<cells::gru>>);
  static_assert(zoneout<0.1>::cell<cells::gru>::storage.size == 4);
  static_assert(fits<counted<gru<5, zoneout<0.0>, layers<2>>>> && fits<counted<gru<1, zoneout<0.1>>>>);
  static_assert(!fits<counted<gru<5, zoneout<1>>>> && !fits<counted<gru<5, zoneout<0.1, 0.1>>>>);
}

}  // namespace tenon::test
