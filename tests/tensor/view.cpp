// view<T>: shape, strides, elements, and errors of checked reading.
#include "tenon/tensor/view.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::test {

constexpr int numbers[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST_CASE("shape and elements are constants where the memory is") {
  constexpr view<const int> v(numbers, {3, 4}, {4, 1});
  static_assert(v.dimension() == 2 && v.shape(0) == 3 && v.shape(1) == 4 && v.size() == 12);
  static_assert(v.stride(0) == 4 && v.stride(1) == 1);
  static_assert(v(2, 1) == 9 && v.at(2, 1) == 9);
  static_assert(std::is_convertible_v<view<int>, view<const int>> &&
                !std::is_convertible_v<view<const int>, view<int>>);
}
TEST_CASE("an empty view, and one of no elements") {
  constexpr view<int> none;
  static_assert(none.dimension() == 0 && none.data() == nullptr && none.size() == 0);
  static_assert(none.begin() == none.end());
  constexpr view<const int> empty(numbers, {0, 4}, {4, 1});
  static_assert(empty.size() == 0 && empty.begin() == empty.end());
  constexpr view<const int> empty_rows(numbers, {4, 0}, {4, 1});
  static_assert(empty_rows.size() == 0 && empty_rows.begin() == empty_rows.end());
}
TEST_CASE("sizes and indices of any integer type, without a warning") {
  std::vector<float> memory(6);
  const std::size_t rows = 2, r = 1;
  const std::ptrdiff_t columns = 3, c = 2;
  const unsigned u = 1;
  const int k = 1;
  const long long wide = 1;
  const view<float> v(memory.data(), {rows, columns}, {columns, k});
  v(r, c) = 1;
  v(k, u) = 2;
  v(u, wide) += 1;
  v.at(r, k) += 1;
  v[r](k) += 1;
  v[k](wide) += 1;
  v[u](r) += 1;
  v[c - 1](0) = 9;
  CHECK(memory == std::vector<float>{0, 0, 0, 9, 7, 1});
  CHECK((v.shape(r) == 3 && v.shape(k) == 3 && v.extent(u) == 3 && v.extent(wide) == 3));
  CHECK((v.stride(r) == 1 && v.stride(k - 1) == 3 && v.rank() == 2));
}
TEST_CASE("without strides: C order without gaps") {
  constexpr view<const int> v(numbers, {2, 3, 2}), row(numbers, {12});
  static_assert(v.is_contiguous() && v(1, 2, 1) == 11 && v(1, 0, 1) == 7 && row(5) == 5 && row.rank() == 1);
  const std::vector<int> memory(6);
  CHECK(view<const int>(memory.data(), {memory.size() / 3, 3}).stride(0) == 3);
}
TEST_CASE("brackets give the view of one axis less") {
  constexpr view<const int> v(numbers, {2, 3, 2}, {2, 4, 1});  // [rows, time, D] of [time, rows, D]
  static_assert(v[1].rank() == 2 && v[1].shape(0) == 3 && v[1].stride(0) == 4 && &v[1](2, 1) == &v(1, 2, 1));
  static_assert(v[1][2].rank() == 1 && v[1][2].size() == 2 && v[1][2](0) == 10);
  static_assert(v[1][2][1].rank() == 0 && v[1][2][1].size() == 1 && v[1][2][1]() == 11);
  static_assert(v[1][2][1].at() == 11 && *v[1][2][1].begin() == 11);
  static_assert(!std::is_convertible_v<view<const int>, int>, "an element is v(i)");
  std::vector<float> memory(6);
  const view<float> writing(memory.data(), {2, 3});
  for (float& x : writing[1]) x = 4;
  CHECK(memory == std::vector<float>{0, 0, 0, 4, 4, 4});
  const view<const float> reading = writing[1];
  CHECK(reading(2) == 4);
}
// The arguments with which x may be called.
template <class X>
concept OneIndex = requires(const X& x) {
  x(1);
  x.at(1);
};
template <class X>
concept TwoIndices = requires(const X& x) {
  x(1, 2);
};
template <class X>
concept TwoCheckedIndices = requires(const X& x) {
  x.at(1, 2);
};
template <class X>
concept FiveIndices = requires(const X& x) {
  x(0, 0, 0, 0, 0);
};
template <class X>
concept HasParts = requires(const X& x) {
  x[0];
};
TEST_CASE("a rank in the type: another number of indices does not compile") {
  static_assert(TwoIndices<view<float, 2>> && TwoCheckedIndices<view<float, 2>> && TwoIndices<view<float>>);
  static_assert(!TwoIndices<view<float, 1>> && !TwoIndices<view<float, 3>> && !OneIndex<view<float, 2>>);
  static_assert(!TwoCheckedIndices<view<float, 3>> && OneIndex<view<const float, 1>>);
  static_assert(!FiveIndices<view<float>> && !FiveIndices<view<float, 4>>, "no view has five axes");
  static_assert(HasParts<view<int, 1>> && !HasParts<view<int, 0>>);

  constexpr view<const int, 3> v(numbers, {2, 3, 2});
  const std::size_t one = 1;
  const short two = 2;
  const unsigned char none = 0;
  CHECK((v(one, two, none) == 10 && v.at(1, 2, 1) == 11 && v[one](two, 1) == 11 && v[1][2][1]() == 11));
  static_assert(std::is_same_v<decltype(v[0][0]), view<const int, 1>>);
  CHECK_THROWS_AS(v.at(1, 3, 0), std::out_of_range);
  CHECK_THROWS_AS(v.at(-1, 0, 0), std::out_of_range);
  CHECK(std::accumulate(v.begin(), v.end(), 0) == 66);
}
TEST_CASE("a rank in the type is dropped by itself, and asked for by name") {
  std::vector<float> memory(6);
  const view<float, 2> v(memory.data(), {2, 3});
  const view<const float, 2> reading = v;
  const view<const float> any = v, &same = reading;
  const view<float> writing = v;
  writing(1, 2) = 7;
  CHECK((any(1, 2) == 7 && same.rank() == 2 && view<const float, 2>(any)(1, 2) == 7));
  static_assert(!std::is_convertible_v<view<float>, view<float, 2>>, "it may have another rank");
  static_assert(!std::is_convertible_v<view<const float, 2>, view<float, 2>>);
  CHECK_THROWS_WITH_AS((view<const float, 3>(any)), "a view of rank 3 made of one of rank 2",
                       std::invalid_argument);
  CHECK_THROWS_AS((view<float, 3>(memory.data(), {2, 3})), std::invalid_argument);
  constexpr view<int, 3> nothing;
  static_assert(nothing.rank() == 3 && nothing.size() == 0 && nothing.begin() == nothing.end());
  const std::vector<view<const float>> of_two_ranks{v, v[1]};
  CHECK((of_two_ranks[0].rank() == 2 && of_two_ranks[1](2) == 7));
}
// Checks every element of v by its indices, in C order.
template <class T>
std::vector<T*> in_order(const view<T>& v) {
  std::vector<T*> all;
  if (v.rank() == 0) return {&v()};
  for (std::size_t i = 0; i < v.shape(0); ++i)
    for (T* element : in_order(v[i])) all.push_back(element);
  return all;
}
template <class T>
void check_walk(const view<T>& v) {
  const std::vector<T*> expected = in_order(v);
  const auto count = static_cast<std::ptrdiff_t>(expected.size());
  REQUIRE(v.size() == expected.size());
  REQUIRE(v.end() - v.begin() == count);
  std::vector<T*> walked;
  for (T& x : v) walked.push_back(&x);
  CHECK(walked == expected);
  walked.clear();
  for (auto i = v.end(); i != v.begin();) walked.push_back(&*--i);
  CHECK(std::equal(walked.rbegin(), walked.rend(), expected.begin(), expected.end()));
  for (std::ptrdiff_t from = 0; from <= count; ++from)
    for (std::ptrdiff_t to = 0; to <= count; ++to) {
      auto i = v.begin() + from;
      CHECK((i < v.begin() + to) == (from < to));
      CHECK((v.begin() + to) - i == to - from);
      if (to < count) CHECK(&i[to - from] == expected[static_cast<std::size_t>(to)]);
      i += to - from;
      CHECK(i == v.begin() + to);
      if (to < count) CHECK(&*i++ == expected[static_cast<std::size_t>(to)]);
      if (to + 1 < count) CHECK(&*i == expected[static_cast<std::size_t>(to) + 1]);
    }
}
TEST_CASE("a loop over a view takes all its elements in C order, whatever the strides") {
  std::vector<int> memory(24);
  std::iota(memory.begin(), memory.end(), 0);
  int* const p = memory.data();
  check_walk(view<int>(p, {24}));
  check_walk(view<const int>(p, {5}, {4}));
  check_walk(view<int>(p + 23, {8}, {-3}));
  check_walk(view<int>(p, {2, 3, 4}));
  check_walk(view<int>(p, {3, 2, 4}, {4, 12, 1}));
  check_walk(view<int>(p, {4, 3, 2}, {1, 4, 12}));
  check_walk(view<const int>(p, {2, 2, 3, 2}, {1, 12, 4, 2}));
  check_walk(view<int>(p, {3, 1, 2}, {8, 99, 5}));
  check_walk(view<int>(p, {3, 2}, {0, 1}));  // the same row for all
  check_walk(view<int>(p, {0, 4}));
  check_walk(view<int>(p, {4, 0, 2}));
  check_walk(view<int>(p, {3})[1]);
}
TEST_CASE("the algorithms of the standard library") {
  static_assert(std::random_access_iterator<view<float>::iterator>);
  static_assert(std::random_access_iterator<view<const float>::iterator>);
  using traits = std::iterator_traits<view<const float>::iterator>;
  static_assert(std::is_same_v<traits::value_type, float> && std::is_same_v<traits::reference, const float&>);
  static_assert(std::is_same_v<traits::iterator_category, std::random_access_iterator_tag>);

  constexpr view<const int> transposed(numbers, {4, 3}, {1, 4});
  static_assert([&] {
    int sum = 0;
    for (int x : transposed) sum = 2 * sum + x;
    return sum;
  }() == ((((((((((0 * 2 + 4) * 2 + 8) * 2 + 1) * 2 + 5) * 2 + 9) * 2 + 2) * 2 + 6) * 2 + 10) * 2 + 3) * 2 +
          7) * 2 + 11);
  CHECK(std::vector<int>(std::begin(transposed), std::end(transposed)) ==
        std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(std::size(transposed) == 12);
  CHECK(*std::max_element(transposed.begin(), transposed.end()) == 11);
  CHECK(std::accumulate(transposed[2].begin(), transposed[2].end(), 0) == 18);

  std::vector<int> memory{5, 0, 3, 0, 9, 0, 1, 0};
  const view<int> even(memory.data(), {2, 2}, {4, 2});
  std::sort(even.begin(), even.end());
  CHECK(memory == std::vector<int>{1, 0, 3, 0, 5, 0, 9, 0});
}
TEST_CASE("data() is for elements in C order without gaps, data_handle() for any strides") {
  const view<const int> transposed(numbers, {4, 3}, {1, 4}), gaps(numbers, {3, 2}, {4, 1});
  const view<const int, 2> of_rank(transposed);
  const char* const sentence =
      "data() of a view with strides [1, 4]: expected C order without gaps; copy it, as in "
      "std::vector(v.begin(), "
      "v.end()), or use data_handle() with the strides";
  CHECK_THROWS_WITH_AS(transposed.data(), sentence, std::invalid_argument);
  CHECK_THROWS_WITH_AS(of_rank.data(), sentence, std::invalid_argument);
  CHECK_THROWS_AS(gaps.data(), std::invalid_argument);
  for (const auto* first :
       {transposed.data_handle(), of_rank.data_handle(), gaps.data_handle(), gaps[0].data()})
    CHECK(first == numbers);
  static_assert(view<const int>(numbers, {2, 2, 3}, {6, 3, 1}).data() == numbers);
  static_assert(view<const int>(numbers, {1, 4}, {99, 1}).data() == numbers);  // an axis of one
  static_assert(view<const int>(numbers, {0, 4}, {1, 7}).data() == numbers);   // no element
  static_assert(view<const int>().data() == nullptr);
}
TEST_CASE("a negative extent is refused with its number") {
  const int minus_one = -1;
  CHECK_THROWS_WITH_AS((view<const int>(numbers, {minus_one, 3})), "a view cannot have an extent of -1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS((view<const int, 2>(numbers, {2L, -3L}, {3, 1})), "a view cannot have an extent of -3",
                       std::invalid_argument);
}
TEST_CASE("strides say how the memory is walked") {
  constexpr view<const int> transposed(numbers, {4, 3}, {1, 4}), columns(numbers, {3, 2}, {4, 1}),
      one(numbers, {1, 4}, {99, 1});
  static_assert(transposed(1, 2) == 9 && columns(2, 1) == 9);
  static_assert(!transposed.is_contiguous() && !columns.is_contiguous());
  static_assert(one.is_contiguous(), "the stride of an axis of one does not matter");
  static_assert(view<const int>(numbers, {2, 2, 3}, {6, 3, 1}).is_contiguous());
}
// v(i, j, ..) is the same as for a std::mdspan with these strides: the element at the sum of index times stride. Loops over rank() and
// extent(), as one writes them for std::mdspan; begin() to end() are the same elements.
template <std::size_t Rank, class T>
void check_indices(const view<T>& v) {
  REQUIRE(v.rank() == Rank);
  std::array<std::size_t, Rank> index{};
  std::vector<T*> expected;
  const auto go = [&](const auto& self, std::size_t axis) -> void {
    if (axis == Rank) {
      T* const element = [&]<std::size_t... K>(std::index_sequence<K...>) { return &v(index[K]...); }
      (std::make_index_sequence<Rank>{});
      std::ptrdiff_t offset = 0;
      for (std::size_t k = 0; k < Rank; ++k) offset += static_cast<std::ptrdiff_t>(index[k]) * v.stride(k);
      CHECK(element == v.data_handle() + offset);
      expected.push_back(element);
      return;
    }
    for (index[axis] = 0; index[axis] < v.extent(axis); ++index[axis]) self(self, axis + 1);
  };
  go(go, 0);
  std::vector<T*> walked;
  for (T& x : v) walked.push_back(&x);
  CHECK(walked == expected);
}
TEST_CASE("indexed and walked like std::mdspan") {
  std::vector<float> memory(48);
  float* const p = memory.data();
  check_indices<1>(view<float>(p, {7}));
  check_indices<1>(view<const float>(p + 20, {5}, {-4}));
  check_indices<2>(view<float>(p, {3, 4}));
  check_indices<2>(view<const float>(p, {4, 3}, {1, 4}));  // transposed
  check_indices<2>(view<const float>(p, {3, 4}, {0, 1}));  // the same row
  check_indices<3>(view<float>(p, {2, 3, 8}));
  check_indices<3>(view<const float>(p, {3, 2, 4}, {8, 24, 1}));  // time before rows
  check_indices<3>(view<const float>(p, {2, 0, 4}));
  check_indices<4>(view<float>(p, {2, 3, 4, 2}));
  check_indices<4>(view<const float>(p, {2, 4, 3, 2}, {24, 2, 8, 1}));
  check_indices<2>(view<const float>(p, {2, 3, 8})[1]);
}
TEST_CASE("a range, for the algorithms of std::ranges") {
  using of_numbers = view<const float>;
  static_assert(std::ranges::random_access_range<of_numbers> && std::ranges::sized_range<of_numbers>);
  static_assert(std::ranges::output_range<view<float>, float> &&
                !std::ranges::output_range<of_numbers, float>);
  static_assert(std::ranges::borrowed_range<of_numbers> && std::ranges::borrowed_range<view<float, 2>>);
  const std::vector<float> memory{3, 1, 2, 0, 5, 4};
  const of_numbers transposed(memory.data(), {3, 2}, {1, 3});
  CHECK(std::ranges::max(transposed) == 5);
  CHECK(std::ranges::distance(transposed) == 6);
  CHECK(std::ranges::equal(transposed, std::array<float, 6>{3, 0, 1, 5, 2, 4}));
  CHECK(std::ranges::equal(transposed | std::views::drop(4), std::array<float, 2>{2, 4}));
  CHECK(*std::ranges::max_element(of_numbers(memory.data(), {3, 2}, {1, 3})) == 5);  // the view is gone
  std::vector<float> written(6);
  std::ranges::copy(transposed, view<float>(written.data(), {2, 3}).begin());
  CHECK(written == std::vector<float>{3, 0, 1, 5, 2, 4});
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

}  // namespace tenon::test
