// Inputs that are already in the device's memory, on Thrust: see backend/given.hpp for what the kernels do.
#pragma once

#include "tenon/backend/given.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/sums.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <cstddef>
#include <type_traits>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

template <int D, class N, class T>
struct take_number {
  int rows, all_rows, steps;
  const int* lengths;
  T outside;
  given_rows<N> from;
  operand<T> to;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [row, j] = row_of(index, D);
    const auto [t, r] = step_of(row, all_rows);
    const bool is_there = r < rows && t < steps && (lengths == nullptr || t < lengths[r]);
    to.data[t * to.step + r * to.row + j] =
        is_there ? static_cast<T>(from.data[from.place(r, t, j)]) : outside;
  }
};
// N may be any integer type: 2^64 - 1 is not -1.
template <class N>
TENON_HOST_DEVICE constexpr bool is_token_of(N token, long long range, bool may_be_left_out) {
  if constexpr (std::is_signed_v<N>)
    if (token < 0) return may_be_left_out && token == -1;
  return static_cast<unsigned long long>(token) < static_cast<unsigned long long>(range);
}
template <class N>
struct place_if_outside {
  int steps;
  std::ptrdiff_t all;
  const int* lengths;
  long long range;
  bool may_be_left_out;
  given_rows<N> from;
  TENON_HOST_DEVICE std::ptrdiff_t operator()(std::ptrdiff_t index) const {
    const int r = static_cast<int>(index / steps), t = static_cast<int>(index % steps);
    if (lengths != nullptr && t >= lengths[r]) return all;
    return is_token_of(from.data[from.place(r, t, 0)], range, may_be_left_out) ? all : index;
  }
};
struct least_place {
  TENON_HOST_DEVICE std::ptrdiff_t operator()(std::ptrdiff_t a, std::ptrdiff_t b) const {
    return a < b ? a : b;
  }
};

}  // namespace thrust_detail

template <int D, class N, class T>
void take_rows(thrust_device, int rows, int all_rows, int steps, int all_steps, const int* lengths, T outside,
               const given_rows<N>& from, const operand<T>& to) {
  thrust_detail::for_each_index(
      std::ptrdiff_t(all_steps) * all_rows * D,
      thrust_detail::take_number<D, N, T>{rows, all_rows, steps, lengths, outside, from, to});
}
template <class N>
std::ptrdiff_t first_outside(thrust_device, int rows, int steps, const int* lengths, long long range,
                             bool may_be_left_out, const given_rows<N>& from) {
  const std::ptrdiff_t all = std::ptrdiff_t(rows) * steps;
  return thrust_detail::sum_over_indices(
      all, thrust_detail::place_if_outside<N>{steps, all, lengths, range, may_be_left_out, from}, all,
      thrust_detail::least_place{});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
