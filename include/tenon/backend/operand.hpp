// The argument types of a backend's kernels. operand: where a kernel finds its rows. Feature j of row r at time step t is at
// data[t * step + r * row + j].
#pragma once

#include "tenon/meta/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace tenon::inline v0_1::backend {

template <class T>
struct operand {
  T* data;
  std::ptrdiff_t row;   // elements from one row to the next; 0: the same row for all (a parameter)
  std::ptrdiff_t step;  // elements from one time step to the next; 0: the same for all steps

  // True: the steps of one row are adjacent in memory. False: the rows of one step are.
  bool is_rows_of_steps() const { return step < row; }
};

// One of `count` pieces of some work, which several threads can do at once.
struct piece {
  int number = 0, count = 1;
  // Of `rows` rows, this piece has [start, end).
  constexpr int start(int rows) const { return static_cast<int>(long(rows) * number / count); }
  constexpr int end(int rows) const { return piece{number + 1, count}.start(rows); }
  // The same in whole units; the last piece also has what is less than a unit.
  constexpr int start(int rows, int unit) const { return start(rows / unit) * unit; }
  constexpr int end(int rows, int unit) const { return is_last() ? rows : end(rows / unit) * unit; }
  constexpr bool is_last() const { return number + 1 == count; }
};

// to[j] += sum_r g[r, j] for j < width, and also[j] += the same unless `also` is null.
template <class T>
struct column_sums {
  const T* g;
  std::ptrdiff_t row;
  int width;
  T *to, *also;
};

// `count` adjacent numbers.
template <class T>
struct block_of_numbers {
  T* data;
  std::ptrdiff_t count;
};

// Adjacent rows of `width` numbers that are copied from one place to another.
template <class T>
struct passed_rows {
  const T* from;
  T* to;
  int width;
};

// At most `count` steps, from step `first` on; each row has those before its end. No lengths: no row ends early.
struct steps_of_rows {
  int first, count;
  const int* lengths;
  TENON_HOST_DEVICE constexpr int in(int row) const {
    const int left = lengths == nullptr ? count : lengths[row] - first;
    return left < 0 ? 0 : left < count ? left : count;
  }
};
// A block of steps that is paired with all steps of an inner axis, in each row.
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

// A parameter vector that becomes part of packed vector `number` of a stage.
template <class T>
struct stage_vector {
  const T* from;
  int number;
};

// The steps of a loop that a backend runs whole: `count` steps from step `first` on. backwards: from the last of them to the first.
struct loop_steps {
  int first, count;
  bool backwards;
};

// The sum of a loss's numbers over all positions, and the sum of the positions' counts.
struct positions_sum {
  double sum = 0, count = 0;

  constexpr void add(const positions_sum& x) {
    sum += x.sum;
    count += x.count;
  }
};

// The numbers of a run, in the memory of a backend that has its own: kernels read and write them, and the program waits only when it
// reads them itself.
struct run_numbers {
  std::uint64_t seed = 0, step = 0;  // of dropout
  double loss = 0, positions = 0;    // the sums over the losses of the run
  double squares = 0;                // of the gradients that are being clipped
  double all_squares = 0;            // of all gradients clipped so far
  // Does this step update the parameters? Not if its loss or its gradients' norm is not finite.
  TENON_HOST_DEVICE constexpr bool is_finite() const {
    return loss - loss == 0 && all_squares - all_squares == 0;
  }
};

// What the sum of a loss is divided by on such a backend. own: the number of positions of the run, which it counts. known: `own->count` as
// it is, because the run is a shard of a batch, whose positions are counted before. open: nothing yet, because the batch's number is known after
// all of its shards have run.
enum class loss_count { own, known, open };
// Where a loss writes there: its own scaled sum and count, the run's numbers, to which it adds, and its mean.
template <class T>
struct loss_numbers {
  positions_sum* own;
  run_numbers* run;
  T* mean;
  loss_count count = loss_count::own;
};

// The object that lives while a session runs: the result of begin_run(tag), if the backend has that function.
struct nothing_begun {};
template <class Backend>
constexpr auto begin() {
  if constexpr (requires { begin_run(Backend{}); }) return begin_run(Backend{});
  else return nothing_begun{};
}

}  // namespace tenon::inline v0_1::backend
