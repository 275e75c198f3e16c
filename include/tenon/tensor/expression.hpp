// Tensor expressions: anything with a rank, a shape and elements, such as a view or an xtensor type; loops over them.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

namespace tenon::inline v0_1 {

namespace detail {
// The rank that a tensor's type fixes, such as that of xt::xtensor<float, 2>; -1 if it is known only at run time.
template <class X>
constexpr int static_rank() {
  if constexpr (requires { std::tuple_size<typename X::shape_type>::value; })
    return static_cast<int>(std::tuple_size<typename X::shape_type>::value);
  else return -1;
}
// A tensor of `Rank` axes that may lack the last one if it is of one feature: [rows] as [rows, 1].
template <int Rank, class X>
struct with_feature {
  const X& x;
  bool lacks_feature() const { return static_cast<int>(x.dimension()) == Rank - 1; }
  std::size_t dimension() const { return x.dimension() + (lacks_feature() ? 1 : 0); }
  std::array<std::size_t, Rank> shape() const {
    std::array<std::size_t, Rank> s{};
    for (std::size_t k = 0; k < Rank; ++k)
      s[k] = k < x.dimension() ? static_cast<std::size_t>(x.shape()[k]) : 1;
    return s;
  }
  auto operator()(auto... at) const {
    static_assert(sizeof...(at) == Rank);
    return element({static_cast<std::size_t>(at)...}, std::make_index_sequence<Rank - 1>());
  }

 private:
  template <std::size_t... Axis>
  auto element(const std::array<std::size_t, Rank>& at, std::index_sequence<Axis...>) const {
    if constexpr (static_rank<X>() == Rank - 1) return x(at[Axis]...);
    else if constexpr (static_rank<X>() == Rank) return x(at[Axis]..., at[Rank - 1]);
    else return lacks_feature() ? x(at[Axis]...) : x(at[Axis]..., at[Rank - 1]);
  }
};
// Calls f(element, i, j, ...) for every element of a tensor expression of rank 1, 2 or 3, in C order.
template <int Rank, class Expression, class F>
void for_each_element(const Expression& e, F f) {
  const auto extent = [&](std::size_t axis) { return static_cast<std::size_t>(e.shape()[axis]); };
  if constexpr (Rank == 1) {
    for (std::size_t i = 0; i < extent(0); ++i) f(e(i), i);
  } else if constexpr (Rank == 2) {
    for (std::size_t i = 0; i < extent(0); ++i)
      for (std::size_t j = 0; j < extent(1); ++j) f(e(i, j), i, j);
  } else {
    for (std::size_t i = 0; i < extent(0); ++i)
      for (std::size_t j = 0; j < extent(1); ++j)
        for (std::size_t k = 0; k < extent(2); ++k) f(e(i, j, k), i, j, k);
  }
}
}  // namespace detail

// Anything with a rank, a shape and elements: a view, an xtensor array, adaptor or lazy expression.
namespace concepts {
template <class E>
concept TensorExpression = requires(const E& e) {
  { e.dimension() } -> std::convertible_to<std::size_t>;
  e.shape()[0];
};
}  // namespace concepts

}  // namespace tenon::inline v0_1
