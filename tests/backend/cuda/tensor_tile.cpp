// The layout of a tile for tensor cores, and the parts of a float.
#include "tenon/backend/cuda/tensor_tile.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

namespace tenon::test {

using namespace backend::cuda_detail;

template <class Side, int Lines, bool AlongTerms>
void check_side() {
  std::set<int> places, lines;
  std::set<std::pair<int, int>> numbers;
  for (int e = 0; e < Side::fours; ++e) {
    const auto four = Side::four_at(e);
    CHECK(four.place % 4 == 0);
    for (int i = 0; i < 4; ++i) {
      CHECK(four.place + i < Side::size);
      places.insert(four.place + i);
      numbers.insert(AlongTerms ? std::pair{four.line, four.term + i} : std::pair{four.line + i, four.term});
    }
  }
  CHECK(int(places.size()) == Lines * tensor_terms);   // no two numbers share a place
  CHECK(int(numbers.size()) == Lines * tensor_terms);  // and none is missing
  for (const auto& [line, term] : numbers)
    CHECK((0 <= line && line < Lines && 0 <= term && term < tensor_terms));
  for (int group = 0; group < Lines / 8; ++group)
    for (int n = 0; n < 8; ++n) lines.insert(Side::line(group, n));
  CHECK((int(lines.size()) == Lines && *lines.begin() == 0 && *lines.rbegin() == Lines - 1));
}
TEST_CASE("each number of a side has its place") {
  check_side<tensor_side<64, true>, 64, true>();
  check_side<tensor_side<64, false>, 64, false>();
  check_side<tensor_side<48, false, 2>, 48, false>();
}
TEST_CASE("the threads of a tile share its rows and columns") {
  using tile = tensor_tile<128, 64, 64, 32, 3>;
  CHECK(tile::threads == 128);
  std::set<std::pair<int, int>> warps;
  for (int thread = 0; thread < tile::threads; ++thread)
    warps.insert({tile::first_row(thread), tile::first_column(thread)});
  CHECK(warps == std::set<std::pair<int, int>>{{0, 0}, {0, 32}, {64, 0}, {64, 32}});
}
TEST_CASE("a float is the sum of two parts") {
  for (const float x : {1.0f, -1.0f, 0.1f, 3.1415927f, 1e30f, -7.7e-20f, 1 + 0x1p-11f, 1 + 0x1p-23f, 0.0f}) {
    const tensor_factors<1> of({{x, x, x, x}});
    const auto bits = std::bit_cast<std::uint32_t>(of.big[0][3]);
    CHECK((bits & 0x1fffu) == 0);  // 11 bits with the leading one
    CHECK(double(of.big[0][3]) + double(of.small[0][3]) == double(x));
    CHECK(std::fabs(of.small[0][3]) <= std::ldexp(std::fabs(x), -11));
  }
}

}  // namespace tenon::test
