// The bodies of input_error.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE message_part message_part::next() const {
  message_part above = *this;
  ++above.magnitude_;
  return above;
}

TENON_INLINE void message_part::append_to(std::string& message) const {
  if (!is_number_) message.append(words_.data(), words_.size());
  else message.append(is_negative_ ? "-" : "").append(std::to_string(magnitude_));
}

[[gnu::noinline]] TENON_INLINE std::string message_of(std::initializer_list<message_part> parts) {
  std::string message;
  for (const message_part& part : parts) part.append_to(message);
  return message;
}

[[gnu::noinline]] TENON_INLINE void throw_input_error(std::initializer_list<message_part> parts) {
  throw input_error(message_of(parts));
}

TENON_INLINE int checked_size(std::string_view of, std::size_t count, std::string_view elements) {
  constexpr std::size_t most = 0x7FFFFFFF;
  if (count > most)
    throw_input_error({of, ": expected at most ", most, " ", elements, ", got ", count, "; divide them"});
  return static_cast<int>(count);
}

}  // namespace tenon::inline v0_1::detail
