// as_xtensor: the same memory as an xtensor adaptor, including strides and axes of length one; and any xtensor is an
// expression.
#include "tenon/tensor/xtensor.hpp"

#include <doctest/doctest.h>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <numeric>
#include <vector>

namespace tenon::test {

static_assert(concepts::TensorExpression<xt::xtensor<float, 2>>);
static_assert(concepts::TensorExpression<xt::xtensor_fixed<float, xt::xshape<2, 3>>>);
static_assert(concepts::TensorExpression<decltype(xt::xtensor<int, 1>() + 1)>);
#ifndef __clang__  // xtensor 0.24: the shape type of xarray is ambiguous to clang 19
static_assert(concepts::TensorExpression<xt::xarray<int>>);
#endif

// Every element of the adaptor is the element of the view, in place.
template <std::size_t Rank, class T>
void check_same_memory(const view<T>& v) {
  const auto a = as_xtensor<Rank>(v);
  REQUIRE(a.dimension() == Rank);
  REQUIRE(a.size() == v.size());
  CHECK(a.data() == v.data_handle());
  const auto check = [&](auto... i) { CHECK(&a(i...) == &v(i...)); };
  if constexpr (Rank == 1) tenon::detail::for_each_element<1>(v, [&](auto&, auto... i) { check(i...); });
  else if constexpr (Rank == 2) tenon::detail::for_each_element<2>(v, [&](auto&, auto... i) { check(i...); });
  else tenon::detail::for_each_element<3>(v, [&](auto&, auto... i) { check(i...); });
}

TEST_CASE("contiguous, strided, transposed, and with axes of one") {
  std::vector<float> memory(60);
  float* p = memory.data();
  check_same_memory<1>(view<float>(p, {5}, {1}));
  check_same_memory<1>(view<const float>(p, {5}, {3}));
  check_same_memory<2>(view<const float>(p, {4, 5}, {5, 1}));
  check_same_memory<2>(view<const float>(p, {4, 2}, {5, 1}));
  check_same_memory<2>(view<float>(p, {5, 4}, {1, 5}));
  check_same_memory<2>(view<float>(p, {1, 4}, {50, 1}));
  check_same_memory<3>(view<const float>(p, {3, 4, 5}, {5, 15, 1}));  // [rows, time, D] of [time, rows, D]
  check_same_memory<3>(view<const float>(p, {2, 4, 5}, {5, 15, 1}));  // fewer rows than the batch
  check_same_memory<3>(view<const float>(p, {3, 1, 1}, {5, 99, 1}));
  check_same_memory<3>(view<const float>(p, {1, 1, 1}, {9, 9, 9}));
}
TEST_CASE("arithmetic on strided memory reads the right elements") {
  std::vector<double> memory(12);
  std::iota(memory.begin(), memory.end(), 0.0);
  const auto transposed = as_xtensor<2>(view<const double>(memory.data(), {4, 3}, {1, 4}));
  CHECK(xt::sum(transposed)() == 66);
  const xt::xtensor<double, 2> doubled = transposed * 2.0, copy = transposed;
  CHECK(doubled(1, 2) == 18);
  CHECK(copy(3, 0) == 3);
  const xt::xtensor<double, 2> columns = as_xtensor<2>(view<const double>(memory.data(), {3, 2}, {4, 1}));
  CHECK(xt::sum(as_xtensor<2>(view<const double>(memory.data(), {3, 2}, {4, 1})))() == 27);
  CHECK(columns == xt::xtensor<double, 2>{{0, 1}, {4, 5}, {8, 9}});
}
TEST_CASE("writing through the adaptor writes the memory") {
  std::vector<float> memory(12);
  auto a = as_xtensor<2>(view<float>(memory.data(), {3, 2}, {4, 1}));
  xt::view(a, 1) = 5;
  a(2, 1) = 6;
  CHECK(memory == std::vector<float>{0, 0, 0, 0, 5, 5, 0, 0, 0, 6, 0, 0});
  a += 1;
  CHECK(memory == std::vector<float>{1, 1, 0, 0, 6, 6, 0, 0, 1, 7, 0, 0});
}
TEST_CASE("the wrong rank is an error") {
  const std::vector<float> memory(6);
  const view<const float> v(memory.data(), {2, 3}, {3, 1});
  CHECK_THROWS_WITH_AS(as_xtensor<3>(v), "as_xtensor<3>: the tensor has rank 2", std::invalid_argument);
  CHECK_THROWS_WITH_AS(as_xtensor<1>(v), "as_xtensor<1>: the tensor has rank 2", std::invalid_argument);
}

}  // namespace tenon::test
