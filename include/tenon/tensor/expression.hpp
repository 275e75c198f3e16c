// Tensor expressions: whatever has a rank, a shape and elements, be it a view or of xtensor, and loops over its elements.
#pragma once

#include <concepts>
#include <cstddef>

namespace tenon {

namespace detail {
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

}  // namespace tenon
