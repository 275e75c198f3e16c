// program_memory: the addresses of everything that a program reads and writes.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/program/windows.hpp"

#include <cstddef>

namespace tenon::inline v0_1::engine {

using backend::operand;

template <class T>
operand<const T> as_source(const operand<T>& b) {
  return {b.data, b.row, b.step};
}

template <class T>
class crew;

// How many inputs, outputs, buffers, symbols and kernels a program and its schedules have.
struct program_counts {
  int inputs = 0, outputs = 0, buffers = 0, symbols = 0, kernels = 0;
  bool by_sequence = false;  // it runs on one sequence after the other
  bool shared = false;       // several threads may share its kernels
};

// A first input that is rows of a table.
template <class T>
struct table_memory {
  const int* tokens;   // for each row; negative: zeros
  int entries;         // rows of the table
  const T* product;    // [entries, N], the contraction of the whole table
  T* product_adjoint;  // backward: [entries, N], summed over equal tokens
};

// The members that a phase of the program reads and writes must be set before it runs, the others need not be.
template <class T, program_counts Counts>
struct program_memory {
  int batch;                 // rows of each time step
  int rows;                  // those of them that were given
  const int* lengths;        // [batch]; null if no row ends before the last step
  int inner_steps;           // of the inner axis
  const int* inner_lengths;  // [batch], of the rows that this step of the loop has; null: as above
  const int* earlier_steps;  // [batch], in a stream that keeps them: their number; -1: the row does not run
  operand<const T> in[Counts.inputs + 1];
  operand<T> out[Counts.outputs + 1];
  T* buffers[Counts.buffers + 1];
  const T* symbols[Counts.symbols + 1];  // values of the parameters
  T* gradients[Counts.symbols + 1];      // their gradients, in the backward program
  const T* packed[Counts.kernels + 1];   // packed parameters, by kernel
  table_memory<T> table;
  ir::windows windows;  // a first input that is read in place
  ir::extents windows_over;
  T* scratch;                        // of the backward program
  crew<T>* threads = nullptr;        // that share large kernels; null: there is one thread
  int first_step = 0;                // the first step that the buffers have rows for
  bool continues = false;            // earlier steps have been added to the sums
  bool ends_loop = false;            // no step reads the states of this one
  bool is_odd = false;               // streaming: every other step
  bool in_rows_of_steps = false;     // the sequence that it reads is stored row by row: see row_order
  int zero_step = -1;                // scan, backward: the step that began with states of zero; -1: none
  int block = 0;                     // steps that a loop in lanes runs at once
  bool is_own[Counts.inputs + 1]{};  // input saved by the forward program: nothing else reads it
};

}  // namespace tenon::inline v0_1::engine
