// flush_to_zero: subnormal numbers as zeros while a session runs. They carry no information that training or
// inference needs, and many processors take a hundred times longer over them.
#pragma once

#include "tenon/backend/cpu/tag.hpp"

#if defined(__SSE2__)
#  include <xmmintrin.h>
#endif

namespace tenon::backend {

// Sets the processor's modes flush-to-zero and denormals-are-zero, and gives the caller's back at the end.
// Where they are set already, or the processor has none, it does nothing.
class flush_to_zero {
 public:
#if defined(__SSE2__)
  flush_to_zero() : before_(_mm_getcsr()) {
    if ((before_ & modes) != modes) _mm_setcsr(before_ | modes);
  }
  ~flush_to_zero() {
    if ((before_ & modes) != modes) _mm_setcsr(before_);
  }

 private:
  static constexpr unsigned modes = 0x8040;
  unsigned before_;

 public:
#else
  flush_to_zero() {}
#endif
  flush_to_zero(const flush_to_zero&) = delete;
  flush_to_zero& operator=(const flush_to_zero&) = delete;
};

// What holds while a session runs on a backend.
template <class Backend>
struct running_on {};
template <std::derived_from<cpu> Backend>
struct running_on<Backend> : flush_to_zero {};

}  // namespace tenon::backend
