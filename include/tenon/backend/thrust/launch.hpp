// for_each_index: runs one thread for each index, on the device that THRUST_DEVICE_SYSTEM selects. The work of a thread is a functor with
// operator()(std::ptrdiff_t index) const, not a lambda, so that nvcc needs no option for it.
#pragma once

#include "tenon/backend/thrust/failure.hpp"
#include "tenon/backend/thrust/recording.hpp"
#include "tenon/backend/thrust/stream.hpp"
#include "tenon/backend/thrust/system.hpp"
#include "tenon/meta/host_device.hpp"

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system_error.h>

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::thrust_detail {

// Throws a device_error if a kernel cannot run; the message names the function that calls this.
template <class F>
struct all_indices {
  std::ptrdiff_t count;
  F f;
  const char* kernel_name;
  void operator()() const {
    try {
      thrust::for_each_n(policy(), thrust::counting_iterator<std::ptrdiff_t>(0), count, f);
    } catch (const thrust::system_error& error) { fail(kernel_name, error); }
  }
};
template <class F>
void for_each_index(std::ptrdiff_t count, F f, const char* kernel_name = __builtin_FUNCTION()) {
  if (count > 0) queue(all_indices<F>{count, f, kernel_name});
}

// An index as a row and a column, or as a step, a row and a column.
struct row_and_column {
  std::ptrdiff_t row;
  int column;
};
TENON_HOST_DEVICE constexpr row_and_column row_of(std::ptrdiff_t index, int columns) {
  return {index / columns, static_cast<int>(index % columns)};
}
struct step_and_row {
  int step, row;
};
TENON_HOST_DEVICE constexpr step_and_row step_of(std::ptrdiff_t index, int rows) {
  return {static_cast<int>(index / rows), static_cast<int>(index % rows)};
}

// How many columns a thread computes: one on a GPU, so that many threads read side by side; on a CPU, enough to fill some vectors.
inline constexpr int columns_of_thread = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA ? 1 : 16;
TENON_HOST_DEVICE constexpr int blocks_of(int columns) {
  return (columns + columns_of_thread - 1) / columns_of_thread;
}

// Calls f.make<count>(first column) for a thread's block of columns. All blocks but the last have columns_of_thread columns.
template <int Columns, class F>
TENON_HOST_DEVICE inline void with_columns(int block, F f) {
  constexpr int whole = columns_of_thread, left = Columns % whole;
  if (left == 0 || block < Columns / whole) f.template make<whole>(block * whole);
  else f.template make<(left > 0 ? left : whole)>(block * whole);
}

// The end of a row's sequence. No lengths: no row ends early.
TENON_HOST_DEVICE constexpr int end_of(const int* lengths, std::ptrdiff_t row, int steps) {
  return lengths != nullptr && lengths[row] < steps ? lengths[row] : steps;
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::thrust_detail
