// The arguments of a loop of maps and products with transposed matrices, all steps of which a backend runs in one call; see
// lowering/row_loop.hpp. A column is an index into the numbers of a row that are kept from kernel to kernel: the carried numbers before
// a step, those after it, then the others.
#pragma once

#include "tenon/backend/operand.hpp"

namespace tenon::inline v0_1::backend {

// How many numbers of a row are carried from step to step, and how many are kept in all.
template <int Carried, int Columns>
struct row_shape {
  static constexpr int carried = Carried, columns = Columns;
};
// The kernels of such a loop: a map, by its code, and dx[r, k] = sum_n g[r, n] w[n, k].
template <class Code>
struct row_map {};
template <int Depth, int Size>
struct row_transposed {};

// One state that is carried from step to step.
inline constexpr int most_row_states = 8;
template <class T>
struct row_state {
  int column, features;
  const T* begin;                            // its value at the first step: rows of `features` numbers
  T* next;                                   // where each step writes the value it found; null: not needed
  std::ptrdiff_t step;                       // of next, from step to step
  T* adjoint;                                // where a step writes the new value: at step * adjoint_step,
  std::ptrdiff_t adjoint_step, parity_step;  // plus parity_step for odd steps
  bool keeps_all;                            // every step's value is needed; else only the last one's
};
// In memory, from the first of the steps on, or in a column of the row.
template <class T>
struct row_load {
  const T* data;
  std::ptrdiff_t row, step;
  int column;  // -1: in memory
};
template <class T>
struct row_store {
  T* data;  // null: not needed after the loop
  std::ptrdiff_t row, step;
  int column;  // -1: only in memory
};
template <class T>
struct row_product {
  const T* w;
  int from, to;  // columns
};
template <class T>
struct row_loop_memory {
  loop_steps steps;
  int rows;
  const int* lengths;
  int states;
  const row_state<T>* state;
  const row_load<T>* loads;  // of all maps, in their order
  const row_store<T>* stores;
  const row_product<T>* products;
};

}  // namespace tenon::inline v0_1::backend
