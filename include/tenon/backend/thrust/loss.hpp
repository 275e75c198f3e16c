// Losses on Thrust: cross-entropy of logits [rows, C], and means of one number at each position. Sums are in double and stay on the
// device, with their counts, which the gradient kernels read there.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/sums.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <thrust/functional.h>

#include <cmath>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

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
// The weight of each target in the mean over all targets, times `scale`.
TENON_HOST_DEVICE constexpr double share_of_target(double scale, const positions_sum& of) {
  return scale / (of.count > 0 ? of.count : 1);
}
TENON_HOST_DEVICE constexpr double share_of_position(double scale, const positions_sum& of) {
  return of.count > 0 ? scale / of.count : 0;
}
struct is_token {
  const int* tokens;
  TENON_HOST_DEVICE double operator()(std::ptrdiff_t r) const { return tokens[r] >= 0 ? 1 : 0; }
};
struct keep_count {
  positions_sum* own;
  TENON_HOST_DEVICE void operator()(double count) const { own->count = count; }
};
template <class T>
struct finish_cross_entropy {
  double scale;
  loss_numbers<T> to;
  TENON_HOST_DEVICE void operator()(double total) const {
    const double mean = total * share_of_target(scale, *to.own);
    to.own->sum = scale * total;
    to.run->loss += mean;
    if (to.count == loss_count::own) to.run->positions += to.own->count;
    *to.mean = static_cast<T>(mean);
  }
};
template <class T>
struct finish_positions {
  double scale;
  loss_numbers<T> to;
  TENON_HOST_DEVICE void operator()(const positions_sum& all) const {
    const double count = to.count == loss_count::known ? to.own->count : all.count;
    const double mean = count > 0 ? scale * all.sum / count : 0;
    *to.own = {scale * all.sum, count};
    if (to.count != loss_count::open) to.run->loss += mean;
    if (to.count == loss_count::own) to.run->positions += count;
    *to.mean = static_cast<T>(mean);
  }
};

template <int C, class T>
struct cross_entropy_gradient {
  const T* logits;
  std::ptrdiff_t row;
  const int* targets;
  double scale;
  const positions_sum* own;
  T* gradient;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t r) const {
    const T* const x = logits + r * row;
    T* const g = gradient + r * C;
    if (targets[r] < 0) {
      for (int c = 0; c < C; ++c) g[c] = T(0);
      return;
    }
    const softmax_row<C, T> softmax(x);
    const double share = static_cast<T>(share_of_target(scale, *own));
    for (int c = 0; c < C; ++c)
      g[c] = static_cast<T>(share * (softmax.weight(x[c]) / softmax.total - (c == targets[r] ? 1 : 0)));
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
    return {static_cast<double>(values.data[t * values.step + r * values.row]),
            counts.data == nullptr ? 1 : static_cast<double>(counts.data[t * counts.step + r * counts.row])};
  }
};
struct add_positions {
  TENON_HOST_DEVICE positions_sum operator()(const positions_sum& a, const positions_sum& b) const {
    return {a.sum + b.sum, a.count + b.count};
  }
};
template <class T>
struct give_share {
  int rows, steps;
  const int* lengths;
  double scale;
  const positions_sum* own;
  operand<T> gradient;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [t, r] = step_of(index, rows);
    gradient.data[t * gradient.step + r * gradient.row] =
        t < end_of(lengths, r, steps) ? static_cast<T>(share_of_position(scale, *own)) : T(0);
  }
};

}  // namespace thrust_detail

// The mean loss over the rows with a target, times `scale`, and its gradient.
template <int C, class T>
void mean_cross_entropy(thrust_device, int rows, const T* logits, std::ptrdiff_t stride, const int* targets,
                        double scale, T* gradient, const loss_numbers<T>& to) {
  if (to.count == loss_count::own)
    thrust_detail::sum_there(rows, thrust_detail::is_token{targets}, 0.0, thrust::plus<double>{},
                             thrust_detail::keep_count{to.own});
  thrust_detail::for_each_index(
      rows, thrust_detail::cross_entropy_gradient<C, T>{logits, stride, targets, scale, to.own, gradient});
  thrust_detail::sum_there(rows, thrust_detail::cross_entropy_of_row<C, T>{logits, stride, targets}, 0.0,
                           thrust::plus<double>{}, thrust_detail::finish_cross_entropy<T>{scale, to});
}
template <class T>
void mean_positions(thrust_device, int steps, int rows, const int* lengths, const operand<const T>& values,
                    const operand<const T>& counts, double scale, const loss_numbers<T>& to) {
  thrust_detail::sum_there(std::ptrdiff_t(steps) * rows,
                           thrust_detail::number_at_position<T>{rows, steps, lengths, values, counts},
                           positions_sum{}, thrust_detail::add_positions{},
                           thrust_detail::finish_positions<T>{scale, to});
}
// The gradient of mean_positions, which must have run before.
template <class T>
void positions_gradient(thrust_device, int steps, int rows, const int* lengths, double scale,
                        const positions_sum* own, const operand<T>& gradient) {
  thrust_detail::for_each_index(std::ptrdiff_t(steps) * rows,
                                thrust_detail::give_share<T>{rows, steps, lengths, scale, own, gradient});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
