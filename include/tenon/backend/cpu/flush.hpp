// flush_to_zero: subnormal numbers as zeros while a session runs. They carry no information that training or
// inference needs, and many processors take a hundred times longer over them.
#pragma once

#include "tenon/backend/cpu/tag.hpp"

#include <bit>
#include <cstdint>
#if defined(__SSE2__)
#  include <xmmintrin.h>
#endif

namespace tenon::backend {

// Sets the processor's modes flush-to-zero and denormals-are-zero, and gives the caller's back at the end.
// Where they are set already, or the processor has none, it does nothing. The register of the modes can be read
// only when all arithmetic before has ended, so a caller who sets them once around many small steps gets them
// to overlap.
class flush_to_zero {
 public:
#if defined(__SSE2__)
  flush_to_zero() : sets_(!are_set()) {
    if (!sets_) return;
    before_ = _mm_getcsr();
    if ((before_ & ~flags) == usual) _mm_setcsr(usual | modes);
    else _mm_setcsr(before_ | modes);
  }
  ~flush_to_zero() {
    if (sets_) _mm_setcsr(before_);
  }

 private:
  // Where the caller's register is the usual one, the modes are set from a number: a processor that foresees the
  // branch goes on at once, while the register is read only when all arithmetic before has ended.
  static constexpr unsigned modes = 0x8040, usual = 0x1f80, flags = 0x3f;
  bool sets_;
  unsigned before_ = 0;

  // What arithmetic says: a subnormal operand is zero, and so is a subnormal result.
  static bool are_set() {
    static const volatile float subnormal = 0x1p-140f, small = 0x1p-70f;  // not known to the compiler
    return subnormal == 0 && std::bit_cast<std::uint32_t>(small * small) == 0;
  }

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
