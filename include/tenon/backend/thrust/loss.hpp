// Losses on Thrust: cross-entropy of logits [rows, C], and means of one number at each position. Sums are in double.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <thrust/functional.h>

#include <cmath>

namespace tenon::backend {

namespace thrust_detail {

// A row of logits as a softmax: p[c] = exp(x[c] - largest) / total.
template <int C, class T>
struct softmax_row {
  T largest;
  double total;
  TENON_HOST_DEVICE explicit softmax_row(const T* x) : largest(x[0]), total(0) {
    for (int c = 1; c < C; ++c) largest = x[c] > largest ? x[c] : largest;
    for (int c = 0; c < C; ++c) total += weight(x[c]);
  }
  TENON_HOST_DEVICE double weight(T x) const {
    using std::exp;
    return exp(static_cast<double>(x) - static_cast<double>(largest));
  }
};
template <int C, class T>
struct cross_entropy_gradient {
  const T* logits;
  std::ptrdiff_t row;
  const int* targets;
  T scale;
  T* gradient;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t r) const {
    const T* const x = logits + r * row;
    T* const g = gradient + r * C;
    if (targets[r] < 0) {
      for (int c = 0; c < C; ++c) g[c] = T(0);
      return;
    }
    const softmax_row<C, T> softmax(x);
    for (int c = 0; c < C; ++c)
      g[c] = static_cast<T>(static_cast<double>(scale) *
                            (softmax.weight(x[c]) / softmax.total - (c == targets[r] ? 1 : 0)));
  }
};
template <int C, class T>
struct cross_entropy_of_row {
  const T* logits;
  std::ptrdiff_t row;
  const int* targets;
  TENON_HOST_DEVICE double operator()(std::ptrdiff_t r) const {
    using std::log;
    if (targets[r] < 0) return 0;
    const T* const x = logits + r * row;
    const softmax_row<C, T> softmax(x);
    return log(softmax.total) + (static_cast<double>(softmax.largest) - static_cast<double>(x[targets[r]]));
  }
};

template <class T>
struct number_at_position {
  int rows, steps;
  const int* lengths;
  operand<const T> values, counts;
  TENON_HOST_DEVICE positions_sum operator()(std::ptrdiff_t index) const {
    const auto [t, r] = step_of(index, rows);
    if (t >= end_of(lengths, r, steps)) return {};
    const double count =
        counts.data == nullptr ? 1 : static_cast<double>(counts.data[t * counts.step + r * counts.row]);
    return {count != 0 ? static_cast<double>(values.data[t * values.step + r * values.row]) : 0, count};
  }
};
struct add_positions {
  TENON_HOST_DEVICE positions_sum operator()(const positions_sum& a, const positions_sum& b) const {
    return {a.sum + b.sum, a.count + b.count};
  }
};
template <class T>
struct share_of_position {
  int rows, steps;
  const int* lengths;
  T share;
  operand<const T> counts;
  operand<T> gradient;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [t, r] = step_of(index, rows);
    const bool is_there = t < end_of(lengths, r, steps) &&
                          (counts.data == nullptr || counts.data[t * counts.step + r * counts.row] != T(0));
    gradient.data[t * gradient.step + r * gradient.row] = is_there ? share : T(0);
  }
};

}  // namespace thrust_detail

template <int C, class T>
double sum_cross_entropy(thrust_device, int rows, const T* logits, std::ptrdiff_t stride, const int* targets,
                         T scale, T* gradient) {
  thrust_detail::for_each_index(
      rows, thrust_detail::cross_entropy_gradient<C, T>{logits, stride, targets, scale, gradient});
  return thrust_detail::sum_over_indices(
      rows, thrust_detail::cross_entropy_of_row<C, T>{logits, stride, targets}, 0.0, thrust::plus<double>{});
}
template <class T>
positions_sum sum_positions(thrust_device, int steps, int rows, const int* lengths,
                            const operand<const T>& values, const operand<const T>& counts) {
  return thrust_detail::sum_over_indices(
      std::ptrdiff_t(steps) * rows,
      thrust_detail::number_at_position<T>{rows, steps, lengths, values, counts}, positions_sum{},
      thrust_detail::add_positions{});
}
template <class T>
void share_positions(thrust_device, int steps, int rows, const int* lengths, T share,
                     const operand<const T>& counts, const operand<T>& gradient) {
  thrust_detail::for_each_index(
      std::ptrdiff_t(steps) * rows,
      thrust_detail::share_of_position<T>{rows, steps, lengths, share, counts, gradient});
}

}  // namespace tenon::backend
