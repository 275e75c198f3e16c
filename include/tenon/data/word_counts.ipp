// The bodies of word_counts.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon {

TENON_INLINE void word_counts::add(std::string_view word, long times) {
  if (times < 0)
    detail::throw_input_error({"word_counts: expected '", word, "' at least 0 times, got ", times});
  table_.add(word, times);
  total_ += times;
}

}  // namespace tenon
