// Kernels that keep the numbers of a run in the backend's memory, for backends that have their own: see run_numbers.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/reference/cross_entropy.hpp"
#include "tenon/backend/reference/dropout.hpp"
#include "tenon/backend/reference/loss.hpp"
#include "tenon/backend/reference/map.hpp"
#include "tenon/backend/reference/rows.hpp"
#include "tenon/backend/reference/tag.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tenon::inline v0_1::backend {

namespace detail {
template <class T>
void add_loss(double mean, double sum, double count, const loss_numbers<T>& to) {
  *to.own = {sum, count};
  if (to.count != loss_count::open) to.run->loss += mean;
  if (to.count == loss_count::own) to.run->positions += count;
  *to.mean = static_cast<T>(mean);
}
}  // namespace detail

// The mean of -log softmax(logits[r])[targets[r]] over the rows with a target >= 0, times `scale`, and its gradient.
template <int C, class T>
void mean_cross_entropy(reference, int rows, const T* logits, std::ptrdiff_t stride, const int* targets,
                        double scale, T* gradient, const loss_numbers<T>& to) {
  const double count = to.count == loss_count::own ? count_tokens(reference{}, rows, targets) : to.own->count;
  const double share = scale / (count > 0 ? count : 1);
  const double sum =
      sum_cross_entropy<C>(reference{}, rows, logits, stride, targets, static_cast<T>(share), gradient);
  detail::add_loss(share * sum, scale * sum, count, to);
}
// The mean of values[t, r], weighted by counts[t, r], over all positions, times `scale`; then its gradient. See sum_positions.
template <class T>
void mean_positions(reference, int steps, int rows, const int* lengths, const operand<const T>& values,
                    const operand<const T>& counts, double scale, const loss_numbers<T>& to) {
  const auto [sum, own] = sum_positions(reference{}, steps, rows, lengths, values, counts);
  const double count = to.count == loss_count::known ? to.own->count : own;
  detail::add_loss(count > 0 ? scale * sum / count : 0, scale * sum, count, to);
}
template <class T>
void positions_gradient(reference, int steps, int rows, const int* lengths, double scale,
                        const positions_sum* own, const operand<T>& gradient) {
  const double share = own->count > 0 ? scale / own->count : 0;
  positions_gradient(reference{}, steps, rows, lengths, static_cast<T>(share), gradient);
}

// Dropout whose seed and step are numbers of the run.
template <class T>
void dropout_elements(reference, std::ptrdiff_t count, double rate, const run_numbers* numbers,
                      std::uint64_t stream, const T* x, T* y) {
  dropout_elements(reference{}, count, rate, numbers->seed, numbers->step << 16 | stream, x, y);
}

// Clips gradients to a norm, piece by piece: squares = sum x^2, added to the squares of earlier pieces if `continues`, then
// x = x min(1, most / (sqrt(squares) + 1e-6)) for each piece.
template <class T>
void sum_squares(reference, std::ptrdiff_t count, const T* x, bool continues, run_numbers* numbers) {
  double sum = 0;
  for (std::ptrdiff_t k = 0; k < count; ++k) sum += double(x[k]) * double(x[k]);
  numbers->squares = (continues ? numbers->squares : 0) + sum;
  numbers->all_squares += sum;
}
template <class T>
void scale_to_norm(reference, std::ptrdiff_t count, double most, const run_numbers* numbers, T* x) {
  const double scale = most / (std::sqrt(numbers->squares) + 1e-6);
  for (std::ptrdiff_t k = 0; k < count && scale < 1; ++k) x[k] *= static_cast<T>(scale);
}
// Clamps each x[k] to [-most, most].
template <class T>
void limit_elements(reference, std::ptrdiff_t count, T most, T* x) {
  for (std::ptrdiff_t k = 0; k < count; ++k) x[k] = x[k] < -most ? -most : x[k] > most ? most : x[k];
}

// x[k] = factor x[k]: weights the gradients of several batches by their numbers of positions.
template <class T>
void scale_elements(reference, std::ptrdiff_t count, T factor, T* x) {
  for (std::ptrdiff_t k = 0; k < count; ++k) x[k] *= factor;
}
// y[k] = y[k] + share (x[k] - y[k]): an average that follows x.
template <class T>
void move_towards(reference, std::ptrdiff_t count, T share, const T* x, T* y) {
  for (std::ptrdiff_t k = 0; k < count; ++k) y[k] += share * (x[k] - y[k]);
}

// A map, skipped if the run's loss or norm is not finite. No numbers (null): always runs.
template <class Kernel, class T>
void map_if_finite(reference, const run_numbers* numbers, int steps, int rows, const operand<const T>* loads,
                   const operand<T>* stores) {
  if (numbers == nullptr || numbers->is_finite()) map<Kernel>(reference{}, steps, rows, loads, stores);
}

}  // namespace tenon::inline v0_1::backend
