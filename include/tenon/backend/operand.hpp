// operand: where a pattern finds its rows. Feature j of row r at time step t stands at data[t * step + r *
// row + j].
#pragma once

#include <cstddef>

namespace tenon::backend {

template <class T>
struct operand {
  T* data;
  std::ptrdiff_t row;   // elements from one row to the next; 0: the same row for all (a parameter)
  std::ptrdiff_t step;  // elements from one time step to the next; 0: the same for all steps

  // Rows of steps, each of which is one stream; else steps of rows.
  bool is_rows_of_steps() const { return step < row; }
};

}  // namespace tenon::backend
