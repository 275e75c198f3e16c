// whole_block<Size>: the pieces of a block of gradients that an optimiser walks over if no table is sparse: one piece.
// For sparse tables see touched_rows in sparse_rows.hpp.
#pragma once

#include <cstddef>

namespace tenon::inline v0_1::engine {

// Calls f(first element, how many) for each piece of the block, or of the elements from `from` to before `end`.
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

}  // namespace tenon::inline v0_1::engine
