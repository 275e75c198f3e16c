// Whole blocks of parameters on Thrust: scaling gradients, and a moving average. See reference/numbers.hpp for the formulas.
#pragma once

#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

template <class T>
struct scale_number {
  T factor;
  T* x;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const { x[k] *= factor; }
};
template <class T>
struct move_number_towards {
  T share;
  const T* x;
  T* y;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const { y[k] += share * (x[k] - y[k]); }
};

}  // namespace thrust_detail

template <class T>
void scale_elements(thrust_device, std::ptrdiff_t count, T factor, T* x) {
  thrust_detail::for_each_index(count, thrust_detail::scale_number<T>{factor, x});
}
template <class T>
void move_towards(thrust_device, std::ptrdiff_t count, T share, const T* x, T* y) {
  thrust_detail::for_each_index(count, thrust_detail::move_number_towards<T>{share, x, y});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
