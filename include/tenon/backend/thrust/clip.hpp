// Clips gradients on Thrust: the norm is a number on the device, which the scaling kernel reads.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/sums.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <thrust/functional.h>

#include <cmath>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

template <class T>
struct square_of_number {
  const T* x;
  TENON_HOST_DEVICE double operator()(std::ptrdiff_t k) const { return double(x[k]) * double(x[k]); }
};
struct add_squares {
  run_numbers* numbers;
  bool continues;
  TENON_HOST_DEVICE void operator()(double sum) const {
    numbers->squares = (continues ? numbers->squares : 0) + sum;
    numbers->all_squares += sum;
  }
};
template <class T>
struct scale_to_norm_of {
  const run_numbers* numbers;
  double most;
  T* x;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const {
    using std::sqrt;
    const double scale = most / (sqrt(numbers->squares) + 1e-6);
    if (scale < 1) x[k] *= static_cast<T>(scale);
  }
};
template <class T>
struct limit_number {
  T most;
  T* x;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const {
    x[k] = x[k] < -most ? -most : x[k] > most ? most : x[k];
  }
};

}  // namespace thrust_detail

// Sums the squares of one piece of the gradients that are clipped together. continues: the sum of earlier pieces is added.
template <class T>
void sum_squares(thrust_device, std::ptrdiff_t count, const T* x, bool continues, run_numbers* numbers) {
  thrust_detail::sum_there(count, thrust_detail::square_of_number<T>{x}, 0.0, thrust::plus<double>{},
                           thrust_detail::add_squares{numbers, continues});
}
// Scales one piece if the norm of all pieces is above `most`.
template <class T>
void scale_to_norm(thrust_device, std::ptrdiff_t count, double most, const run_numbers* numbers, T* x) {
  thrust_detail::for_each_index(count, thrust_detail::scale_to_norm_of<T>{numbers, most, x});
}
template <class T>
void limit_elements(thrust_device, std::ptrdiff_t count, T most, T* x) {
  thrust_detail::for_each_index(count, thrust_detail::limit_number<T>{most, x});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
