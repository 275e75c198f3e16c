// copy_features: copies the numbers along the last axis of a given tensor, at one place of the other axes.
#pragma once

#include "tenon/tensor/view.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>

namespace tenon::inline v0_1::engine {

// to[:] = x[at.., :], of a view or of any other tensor expression
template <int Features, class X, class T, class... At>
void copy_features(const X& x, T* to, At... at) {
  if constexpr (std::derived_from<X, view<const T>> || std::derived_from<X, view<T>>)
    if (x.stride(sizeof...(at)) == 1) {
      std::copy_n(&x(at..., 0), Features, to);
      return;
    }
  for (std::size_t j = 0; j < Features; ++j) to[j] = static_cast<T>(x(static_cast<std::size_t>(at)..., j));
}

}  // namespace tenon::inline v0_1::engine
