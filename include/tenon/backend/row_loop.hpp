// What a backend is given of a loop of maps and products with transposed matrices, all steps of which are one piece of work; see
// lowering/row_loop.hpp. A column is a place in what is kept of a row from kernel to kernel: the carried numbers before a step, those
// behind it, then the others.
#pragma once

#include "tenon/backend/operand.hpp"

namespace tenon::backend {

// Numbers of a row that are carried, and all that are kept of it.
template <int Carried, int Columns>
struct row_shape {
  static constexpr int carried = Carried, columns = Columns;
};
// The kernels of such a loop: a map, by its code, and dx[r, k] = sum_n g[r, n] w[n, k].
template <class Code>
struct row_map {};
template <int Depth, int Size>
struct row_transposed {};

// What is carried from step to step, of one state.
inline constexpr int most_row_states = 8;
template <class T>
struct row_state {
  int column, features;
  const T* begin;                            // as the first step finds it: rows of `features` numbers
  T* next;                                   // where the steps say what they found; null: nobody asks
  std::ptrdiff_t step;                       // of next, from step to step
  T* adjoint;                                // where what a step leaves goes: at step * adjoint_step,
  std::ptrdiff_t adjoint_step, parity_step;  // and odd steps so far behind
  bool keeps_all;                            // every step's is asked for; else the last one's
};
// In memory from the first of the steps on, or of a row.
template <class T>
struct row_load {
  const T* data;
  std::ptrdiff_t row, step;
  int column;  // -1: in memory
};
template <class T>
struct row_store {
  T* data;  // null: nobody asks for it behind the loop
  std::ptrdiff_t row, step;
  int column;  // -1: in memory alone
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

}  // namespace tenon::backend
