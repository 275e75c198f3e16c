// What the engine and a backend's patterns speak in. operand: where a pattern finds its rows. Feature j of row r at time step t
// is at data[t * step + r * row + j].
#pragma once

#include "tenon/meta/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace tenon::backend {

template <class T>
struct operand {
  T* data;
  std::ptrdiff_t row;   // elements from one row to the next; 0: the same row for all (a parameter)
  std::ptrdiff_t step;  // elements from one time step to the next; 0: the same for all steps

  // Rows of steps, each of which is one stream; else steps of rows.
  bool is_rows_of_steps() const { return step < row; }
};

// to[j] += sum_r g[r, j], of so many columns, and the same to another vector if there is one.
template <class T>
struct column_sums {
  const T* g;
  std::ptrdiff_t row;
  int width;
  T *to, *also;
};

// So many numbers, one behind the other.
template <class T>
struct block_of_numbers {
  T* data;
  std::ptrdiff_t count;
};

// Rows of so many numbers, one behind the other, that go from one place to another.
template <class T>
struct passed_rows {
  const T* from;
  T* to;
  int width;
};

// So many steps at most, from step `first` on, of which a row has those before its end. No lengths: no row ends early.
struct steps_of_rows {
  int first, count;
  const int* lengths;
  TENON_HOST_DEVICE constexpr int in(int row) const {
    const int left = lengths == nullptr ? count : lengths[row] - first;
    return left < 0 ? 0 : left < count ? left : count;
  }
};
// A block of steps that meets all steps of an inner axis, in each row.
struct paired_steps {
  int rows;
  steps_of_rows block, inner;
};

// Rows that one product of a stage reads, and its packed weights, stored as W.
template <class T, class W = T>
struct stage_rows {
  const T* data;
  std::ptrdiff_t row, step;
  const W* packed;
};

// A vector of parameters that is part of packed vector `number` of a stage.
template <class T>
struct stage_vector {
  const T* from;
  int number;
};

// Steps of a loop that a backend runs by itself: `count` from step `first` on. backwards: from the last of them to the first.
struct loop_steps {
  int first, count;
  bool backwards;
};

// The sum of the numbers of a loss over all positions, and of what each counts.
struct positions_sum {
  double sum = 0, count = 0;
};

// Numbers of a run where the kernels are, of a backend with memory of its own: patterns read and write them, and the program waits only
// when it reads them itself.
struct run_numbers {
  std::uint64_t seed = 0, step = 0;  // of dropout
  double loss = 0, positions = 0;    // that the losses of the run have added up
  double squares = 0;                // of the gradients that are being clipped
  double all_squares = 0;            // of all that have been
  // Does the step that they are of change anything? A loss or a norm that is not finite does not.
  TENON_HOST_DEVICE constexpr bool is_finite() const {
    return loss - loss == 0 && all_squares - all_squares == 0;
  }
};

// Where a loss of such a backend writes: its scaled sum and what it counts, the numbers of the run, which it adds to, and its mean.
template <class T>
struct loss_numbers {
  positions_sum* own;
  run_numbers* run;
  T* mean;
};

// What holds while a session runs: what begin_run(tag) returns, where the backend has it.
struct nothing_begun {};
template <class Backend>
constexpr auto begin() {
  if constexpr (requires { begin_run(Backend{}); }) return begin_run(Backend{});
  else return nothing_begun{};
}

}  // namespace tenon::backend
