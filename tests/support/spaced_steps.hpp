// Rows at several steps, with gaps: what reads or writes beside a row is found.
#pragma once

#include "support/guarded_rows.hpp"
#include <tenon/backend/operand.hpp>

#include <cstddef>
#include <vector>

namespace tenon::test {

/// `width` numbers for each row at each step. Adjacent are the rows of a step, or if `by_row` the steps of a row.
template <class T>
class spaced_steps {
 public:
  spaced_steps(int step_count, int row_count, int width, bool by_row = false)
      : numbers(step_count * row_count, width, width + 2),
        steps(step_count),
        rows(row_count),
        is_by_row(by_row) {}

  T& operator()(int t, int r, int j) { return numbers(is_by_row ? r * steps + t : t * rows + r, j); }
  std::vector<T> row_of(int t, int r) {
    std::vector<T> all;
    for (int j = 0; j < numbers.width; ++j) all.push_back((*this)(t, r, j));
    return all;
  }
  template <class F>
  void fill(F number) {
    numbers.fill([&](int, int) { return number(); });
  }
  /// From the first step on.
  backend::operand<T> whole() {
    const std::ptrdiff_t one = numbers.stride;
    return {numbers.data(), is_by_row ? steps * one : one, is_by_row ? one : rows * one};
  }
  bool intact() { return numbers.intact(); }

  guarded_rows<T> numbers;

 private:
  int steps, rows;
  bool is_by_row;
};

}  // namespace tenon::test
