// repeat: each index once, in order, as a constant.
#include <tenon/meta/repeat.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::ir {

namespace {

template <int Count>
std::vector<int> indices() {
  std::vector<int> all;
  repeat<Count>([&](auto k) {
    static_assert(k < Count);  // a constant
    all.push_back(k);
  });
  return all;
}
constexpr int sum_of_squares = [] {  // in constant evaluation, too
  int sum = 0;
  repeat<11>([&](auto k) { sum += k * k; });
  return sum;
}();
static_assert(sum_of_squares == 385);

}  // namespace

TEST_CASE("indices from 0 to before the count, for every remainder of the eight that are written out") {
  [&]<int... Count>(std::integer_sequence<int, Count...>) {
    const auto check = [](const std::vector<int>& got, int count) {
      std::vector<int> expected(static_cast<std::size_t>(count));
      std::iota(expected.begin(), expected.end(), 0);
      CHECK(got == expected);
    };
    (check(indices<Count>(), Count), ...);
  }
  (std::make_integer_sequence<int, 34>{});
}

}  // namespace tenon::inline v0_1::ir
