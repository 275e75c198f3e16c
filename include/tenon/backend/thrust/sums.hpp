// sum_there: a sum over indices whose result stays on the device. sum_over_indices: a sum that is returned to the program.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/scratch.hpp"

#include <thrust/transform_reduce.h>

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

// Lane k adds up f(k), f(k + lanes), ..
template <class F, class Sum, class Add>
struct sum_of_lane {
  std::ptrdiff_t count, lanes;
  F f;
  Sum zero;
  Add add;
  Sum* partials;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t lane) const {
    Sum sum = zero;
    for (std::ptrdiff_t k = lane; k < count; k += lanes) sum = add(sum, f(k));
    partials[lane] = sum;
  }
};
template <class Sum, class Add, class Finish>
struct sum_of_lanes {
  std::ptrdiff_t lanes;
  Sum zero;
  Add add;
  const Sum* partials;
  Finish finish;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t) const {
    Sum sum = zero;
    for (std::ptrdiff_t k = 0; k < lanes; ++k) sum = add(sum, partials[k]);
    finish(sum);
  }
};

// One thread calls finish(the sum of f(index), starting with `zero`). The order of the sum depends only on the number of indices.
template <class F, class Sum, class Add, class Finish>
void sum_there(std::ptrdiff_t count, F f, Sum zero, Add add, Finish finish,
               const char* kernel_name = __builtin_FUNCTION()) {
  const std::ptrdiff_t lanes = count < 1024 ? count : 1024;
  const scratch_numbers<Sum> partials(lanes);
  for_each_index(lanes, sum_of_lane<F, Sum, Add>{count, lanes, f, zero, add, partials.data()}, kernel_name);
  for_each_index(1, sum_of_lanes<Sum, Add, Finish>{lanes, zero, add, partials.data(), finish}, kernel_name);
}

// The sum of f(index), starting with `zero`, for the program, which waits for it. Thrust's temporary memory is kept for the next call: on
// a GPU, allocating and releasing it would take longer than the sum.
template <class F, class Sum, class Add>
Sum sum_over_indices(std::ptrdiff_t count, F f, Sum zero, Add add,
                     const char* kernel_name = __builtin_FUNCTION()) {
  refuse_in_capture(kernel_name);
  const thrust::counting_iterator<std::ptrdiff_t> first(0);
  try {
    return thrust::transform_reduce(policy_with(scratch::mine()), first, first + count, f, zero, add);
  } catch (const thrust::system_error& error) { fail(kernel_name, error); }
}

}  // namespace thrust_detail

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
