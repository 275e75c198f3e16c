// view<T>: shape, strides, elements, and errors of checked reading.
#include "tenon/tensor/view.hpp"

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

namespace tenon::test {

constexpr int numbers[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST_CASE("shape and elements are constants where the memory is") {
  constexpr view<const int> v(numbers, {3, 4}, {4, 1});
  static_assert(v.dimension() == 2 && v.shape(0) == 3 && v.shape(1) == 4 && v.size() == 12);
  static_assert(v.stride(0) == 4 && v.stride(1) == 1);
  static_assert(v(2, 1) == 9 && v.at(2, 1) == 9);
  static_assert(TensorExpression<view<const int>> && TensorExpression<view<float>>);
  static_assert(!TensorExpression<std::vector<int>>);
  static_assert(std::is_convertible_v<view<int>, view<const int>> &&
                !std::is_convertible_v<view<const int>, view<int>>);
}
TEST_CASE("an empty view, and one of no elements") {
  constexpr view<int> none;
  static_assert(none.dimension() == 0 && none.data() == nullptr);
  constexpr view<const int> empty(numbers, {0, 4}, {4, 1});
  static_assert(empty.size() == 0);
}
TEST_CASE("strides say how the memory is walked") {
  constexpr view<const int> transposed(numbers, {4, 3}, {1, 4}), columns(numbers, {3, 2}, {4, 1}),
      one(numbers, {1, 4}, {99, 1});
  static_assert(transposed(1, 2) == 9 && columns(2, 1) == 9);
  static_assert(!transposed.is_contiguous() && !columns.is_contiguous());
  static_assert(one.is_contiguous(), "the stride of an axis of one does not matter");
  static_assert(view<const int>(numbers, {2, 2, 3}, {6, 3, 1}).is_contiguous());
}
TEST_CASE("writing through a view, and reading through one that is const") {
  std::vector<float> memory(6);
  const view<float> v(memory.data(), {2, 3}, {3, 1});
  v(1, 2) = 4;
  v.at(0, 1) = 2;
  const view<const float> reading = v;
  CHECK(memory == std::vector<float>{0, 2, 0, 0, 0, 4});
  CHECK(&reading(1, 2) == &memory[5]);
  static_assert(std::is_same_v<decltype(reading(0, 0)), const float&>);
}
TEST_CASE("at() names the axis and both sizes") {
  const view<const int> v(numbers, {3, 4}, {4, 1});
  CHECK_THROWS_WITH_AS(v.at(1, 4), "index 4 on axis 1 of size 4", std::out_of_range);
  CHECK_THROWS_WITH_AS(v.at(-1, 0), "index -1 on axis 0 of size 3", std::out_of_range);
  CHECK_THROWS_WITH_AS(v.at(1), "tensor of rank 2 read with 1 indices", std::out_of_range);
  CHECK_THROWS_WITH_AS(v.at(1, 1, 1), "tensor of rank 2 read with 3 indices", std::out_of_range);
}
TEST_CASE("copy_features copies the last axis, with and without gaps, and converts") {
  float to[4]{-1, -1, -1, -1};
  copy_features<3>(view<const int>(numbers, {2, 3}, {4, 1}), to, 1);
  CHECK(std::vector<float>(to, to + 4) == std::vector<float>{4, 5, 6, -1});
  int whole[3]{};
  copy_features<3>(view<const int>(numbers, {2, 3}, {4, 1}), whole, 1);
  CHECK(std::vector<int>(whole, whole + 3) == std::vector<int>{4, 5, 6});
  copy_features<2>(view<const int>(numbers, {2, 2, 2}, {6, 1, 3}), whole, 1, 1);  // every third
  CHECK(std::vector<int>(whole, whole + 3) == std::vector<int>{7, 10, 6});
}
TEST_CASE("for_each_element walks in C order with every index") {
  std::vector<int> seen;
  for_each_element<1>(view<const int>(numbers, {3}, {2}),
                      [&](int x, auto i) { seen.push_back(x + 100 * int(i)); });
  CHECK(seen == std::vector<int>{0, 102, 204});
  seen.clear();
  for_each_element<2>(view<const int>(numbers, {2, 2}, {1, 4}),
                      [&](int x, auto i, auto j) { seen.push_back(x + 100 * int(i) + 1000 * int(j)); });
  CHECK(seen == std::vector<int>{0, 1004, 101, 1105});
  seen.clear();
  for_each_element<3>(view<const int>(numbers, {1, 2, 2}, {6, 3, 1}), [&](int x, auto i, auto j, auto k) {
    seen.push_back(x + 100 * int(i) + 1000 * int(j) + 10000 * int(k));
  });
  CHECK(seen == std::vector<int>{0, 10001, 1003, 11004});
}

}  // namespace tenon::test
