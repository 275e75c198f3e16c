// MUT1, MUT2 and MUT3 against loops in double: x is projected if it is not as wide as the state, otherwise used directly.
#include "tenon/nn/cell/mut.hpp"

#include "nn/cell/loop.hpp"

namespace tenon::test {
using namespace nn;

constexpr std::size_t H = 3;

template <int Kind>
std::vector<row> mut(const loop_parameters& p, const row& x, const std::vector<row>& s) {
  const row& h = s[0];
  const bool is_wide = x.size() == H;
  row tanh_h(H), rh(H), next(H);
  for (std::size_t j = 0; j < H; ++j) tanh_h[j] = std::tanh(h[j]);
  row z = p.times("W_z", x, H);
  if (Kind == 2)
    for (std::size_t j = 0; j < H; ++j) z[j] += p.times("U_z", h, H)[j];
  if (Kind == 3)
    for (std::size_t j = 0; j < H; ++j) z[j] += p.times("U_z", tanh_h, H)[j];
  row r = Kind == 2 && is_wide ? x : p.times("W_r", x, H);
  for (std::size_t j = 0; j < H; ++j)
    rh[j] = logistic(r[j] + p.times("U_r", h, H)[j] + p.entry("b_r", j)) * h[j];
  row n = Kind == 1 && is_wide ? x : p.times("W_h", x, H);
  for (std::size_t j = 0; j < H; ++j) {
    const double open = logistic(z[j] + p.entry("b_z", j));
    const double from_x = Kind == 1 ? std::tanh(n[j]) : n[j];
    next[j] = std::tanh(p.times("U_h", rh, H)[j] + from_x + p.entry("b_h", j)) * open + h[j] * (1 - open);
  }
  return {next};
}

TEST_CASE("the cells compute the paper's formulas") {
  check_against_loop<oracle, recurrent<cells::mut1, hidden<3>>, 5, 3>(mut<1>);
  check_against_loop<oracle, recurrent<cells::mut2, hidden<3>>, 5, 3>(mut<2>);
  check_against_loop<oracle, recurrent<cells::mut3, hidden<3>>, 5, 3>(mut<3>);
}
TEST_CASE("x as wide as the state enters as it is, without a matrix") {
  check_against_loop<oracle, recurrent<cells::mut1, hidden<3>>, 3, 3>(mut<1>);
  check_against_loop<oracle, recurrent<cells::mut2, hidden<3>>, 3, 3>(mut<2>);
  static_assert(parameters<over_time<recurrent<cells::mut1, hidden<3>>, 3>>::count() ==
                2 * 9 + 2 * 9 + 3 * 3);  // W_z W_r U_r U_h
  static_assert(parameters<over_time<recurrent<cells::mut1, hidden<3>>, 5>>::count() ==
                3 * 15 + 2 * 9 + 3 * 3);  // and W_h
  static_assert(parameters<over_time<recurrent<cells::mut2, hidden<3>>, 3>>::count() ==
                2 * 9 + 3 * 9 + 3 * 3);  // W_z W_h U_z U_r U_h
  static_assert(parameters<over_time<recurrent<cells::mut2, hidden<3>>, 5>>::count() ==
                3 * 15 + 3 * 9 + 3 * 3);  // and W_r
  static_assert(parameters<over_time<recurrent<cells::mut3, hidden<3>>, 3>>::count() ==
                3 * 9 + 3 * 9 + 3 * 3);
}

}  // namespace tenon::test
