// The bodies of word_counts.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <utility>

namespace tenon::inline v0_1 {

TENON_INLINE void word_counts::add(std::string_view word, long times) {
  if (times < 0)
    detail::throw_input_error({"word_counts: expected '", word, "' at least 0 times, got ", times});
  table_.add(word, times);
  total_ += times;
}

TENON_INLINE std::size_t word_counts::position(int row, std::size_t rows) {
  if (row < 0 || std::cmp_greater_equal(row, rows))
    detail::throw_input_error({"word_counts: there is no row ", row, "; there are ", rows});
  return static_cast<std::size_t>(row);
}

}  // namespace tenon::inline v0_1
