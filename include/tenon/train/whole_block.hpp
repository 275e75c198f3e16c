// whole_block<Size>: the pieces of a block of gradients that an optimiser walks over where none of its tables is sparse: one. Beside
// touched_rows, in sparse_rows.hpp.
#pragma once

#include <cstddef>

namespace tenon::engine {

// Calls f(first element, how many) for each piece: of all, or of the elements from `from` to before `end`.
template <int Size>
struct whole_block {
  static constexpr bool is_sparse = false;
  template <class F>
  void each(F f) const {
    f(std::ptrdiff_t(0), std::ptrdiff_t(Size));
  }
  template <class F>
  void each(std::ptrdiff_t from, std::ptrdiff_t end, F f) const {
    f(from, end - from);
  }
};

}  // namespace tenon::engine
