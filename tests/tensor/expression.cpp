// Tensor expressions: which types are one, and loops over the elements of one.
#include "tenon/tensor/expression.hpp"

#include "tenon/tensor/view.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tenon::test {

constexpr int numbers[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

// A table of products that is nowhere in memory.
struct products {
  std::size_t rows, columns;
  std::size_t dimension() const { return 2; }
  std::vector<std::size_t> shape() const { return {rows, columns}; }
  std::size_t operator()(std::size_t i, std::size_t j) const { return i * j; }
};
static_assert(concepts::TensorExpression<view<const int>> && concepts::TensorExpression<view<float>>);
static_assert(concepts::TensorExpression<view<float, 2>> && concepts::TensorExpression<products>);
static_assert(!concepts::TensorExpression<std::vector<int>> && !concepts::TensorExpression<float*>);

TEST_CASE("for_each_element walks in C order with every index") {
  std::vector<int> seen;
  tenon::detail::for_each_element<1>(view<const int>(numbers, {3}, {2}),
                                     [&](int x, auto i) { seen.push_back(x + 100 * int(i)); });
  CHECK(seen == std::vector<int>{0, 102, 204});
  seen.clear();
  tenon::detail::for_each_element<2>(view<const int>(numbers, {2, 2}, {1, 4}), [&](int x, auto i, auto j) {
    seen.push_back(x + 100 * int(i) + 1000 * int(j));
  });
  CHECK(seen == std::vector<int>{0, 1004, 101, 1105});
  seen.clear();
  tenon::detail::for_each_element<3>(view<const int>(numbers, {1, 2, 2}, {6, 3, 1}),
                                     [&](int x, auto i, auto j, auto k) {
                                       seen.push_back(x + 100 * int(i) + 1000 * int(j) + 10000 * int(k));
                                     });
  CHECK(seen == std::vector<int>{0, 10001, 1003, 11004});
}
TEST_CASE("for_each_element walks an expression that has no memory") {
  std::vector<std::size_t> seen;
  tenon::detail::for_each_element<2>(products{2, 3}, [&](std::size_t x, auto...) { seen.push_back(x); });
  CHECK(seen == std::vector<std::size_t>{0, 0, 0, 0, 1, 2});
}
static_assert(tenon::detail::static_rank<view<float, 2>>() == 2);
static_assert(tenon::detail::static_rank<view<float>>() == -1 &&
              tenon::detail::static_rank<products>() == -1);
TEST_CASE("with_feature reads a tensor with and without its axis of one feature") {
  const auto check = [](const auto& x) {
    const tenon::detail::with_feature<2, std::remove_cvref_t<decltype(x)>> read{x};
    CHECK(read.dimension() == 2);
    CHECK(read.shape() == std::array<std::size_t, 2>{3, 1});
    for (int k = 0; k < 3; ++k) CHECK(read(k, 0) == 2 * k);
  };
  check(view<const int>(numbers, {3}, {2}));
  check(view<const int, 1>(numbers, {3}, {2}));
  check(view<const int>(numbers, {3, 1}, {2, 1}));
  check(view<const int, 2>(numbers, {3, 1}, {2, 1}));
  const view<const int> matrix(numbers, {3, 2}), table(numbers, {1, 3, 2});
  CHECK(tenon::detail::with_feature<2, view<const int>>{matrix}(2, 1) == numbers[5]);
  CHECK(tenon::detail::with_feature<2, view<const int>>{table}.dimension() == 3);
}

}  // namespace tenon::test
