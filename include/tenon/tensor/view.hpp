// view<T>: a borrowed tensor of run-time shape with strides: how sessions and parameters show their memory.
// It has the members of an xtensor expression (dimension, shape, operator()), so either can be given where
// the other can.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace tenon {

inline constexpr int max_rank = 4;

template <class T>
class view {
 public:
  using value_type = T;

  constexpr view() = default;
  constexpr view(T* data, std::initializer_list<std::ptrdiff_t> shape,
                 std::initializer_list<std::ptrdiff_t> strides)
      : data_(data), rank_(shape.size()) {
    std::size_t k = 0;
    for (std::ptrdiff_t s : shape) shape_[k++] = static_cast<std::size_t>(s);
    k = 0;
    for (std::ptrdiff_t s : strides) strides_[k++] = s;
  }
  template <std::same_as<const T> Const>
  constexpr operator view<Const>() const {
    return view<Const>(data_, rank_, shape_, strides_);
  }

  constexpr T* data() const { return data_; }
  constexpr std::size_t dimension() const { return rank_; }
  constexpr const std::array<std::size_t, max_rank>& shape() const { return shape_; }
  constexpr std::size_t shape(std::size_t axis) const { return shape_[axis]; }
  constexpr std::ptrdiff_t stride(std::size_t axis) const { return strides_[axis]; }
  constexpr std::size_t size() const {
    std::size_t n = 1;
    for (std::size_t k = 0; k < rank_; ++k) n *= shape_[k];
    return n;
  }
  constexpr bool is_contiguous() const {
    std::ptrdiff_t expected = 1;
    for (std::size_t k = rank_; k-- > 0;) {
      if (shape_[k] != 1 && strides_[k] != expected) return false;
      expected *= static_cast<std::ptrdiff_t>(shape_[k]);
    }
    return true;
  }

  // Unchecked, as in xtensor; `at` checks rank and bounds.
  constexpr T& operator()(std::convertible_to<std::ptrdiff_t> auto... i) const {
    std::ptrdiff_t offset = 0;
    std::size_t k = 0;
    ((offset += static_cast<std::ptrdiff_t>(i) * strides_[k++]), ...);
    return data_[offset];
  }
  constexpr T& at(std::convertible_to<std::ptrdiff_t> auto... i) const {
    const std::ptrdiff_t index[]{static_cast<std::ptrdiff_t>(i)...};
    if (sizeof...(i) != rank_)
      throw std::out_of_range("tensor of rank " + std::to_string(rank_) + " read with " +
                              std::to_string(sizeof...(i)) + " indices");
    for (std::size_t k = 0; k < rank_; ++k)
      if (index[k] < 0 || index[k] >= static_cast<std::ptrdiff_t>(shape_[k]))
        throw std::out_of_range("index " + std::to_string(index[k]) + " on axis " + std::to_string(k) +
                                " of size " + std::to_string(shape_[k]));
    return (*this)(i...);
  }

 private:
  template <class>
  friend class view;
  constexpr view(T* data, std::size_t rank, const std::array<std::size_t, max_rank>& shape,
                 const std::array<std::ptrdiff_t, max_rank>& strides)
      : data_(data), rank_(rank), shape_(shape), strides_(strides) {}

  T* data_ = nullptr;
  std::size_t rank_ = 0;
  std::array<std::size_t, max_rank> shape_{};
  std::array<std::ptrdiff_t, max_rank> strides_{};
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

// Anything with a rank, a shape and elements: a view, an xtensor array, adaptor or lazy expression.
template <class E>
concept TensorExpression = requires(const E& e) {
  { e.dimension() } -> std::convertible_to<std::size_t>;
  e.shape()[0];
};

// to[:] = x[at.., :], of a view or of any other tensor expression
template <int Features, class X, class T, class... At>
void copy_features(const X& x, T* to, At... at) {
  if constexpr (std::same_as<X, view<const T>> || std::same_as<X, view<T>>)
    if (x.stride(sizeof...(at)) == 1) {
      std::copy_n(&x(at..., 0), Features, to);
      return;
    }
  for (std::size_t j = 0; j < Features; ++j) to[j] = static_cast<T>(x(static_cast<std::size_t>(at)..., j));
}

}  // namespace tenon
