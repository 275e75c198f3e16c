// The laws of equations without a value at zero, which is the content of padding: it must not reach a result.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

struct unit_length {  // 0 / 0 in padding
  static constexpr auto at(auto x) { return x / sqrt(dot(x, x)); }
};
struct logarithm : equations::symbols {  // log 0
  static constexpr auto at(auto x) { return matrix<"M", 3>(log(abs(x))) + vector<"c">; }
};
struct logarithmic_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(tanh(W<>(log(abs(x))) + U<>(h) + b<>)); }
};

TEST_CASE("an equation of rows, not all of which are given") {
  check_laws<single<chain<unit_length, linear<2>>, 3>>();
  check_laws<single<logarithm, 3>>();
}
TEST_CASE("an equation of sequences") {
  check_laws<over_time<chain<unit_length, linear<2>>, 3>>();
  check_laws<graph<"attention", input<"q", features<3>>, input<"s", features<3>, steps<4>>,
                   node<"l", logarithm, "s">, node<"y", attention<score::dot>, "q", "l">, output<"y">>>();
}
TEST_CASE("a cell") { check_laws<over_time<recurrent<logarithmic_cell, hidden<3>, bidirectional>, 2>>(); }

}  // namespace tenon::test
