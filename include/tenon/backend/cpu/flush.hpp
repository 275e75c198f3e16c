// flush_to_zero: subnormal numbers as zeros while a session runs. They carry no information that training or
// inference needs, and many processors take a hundred times longer over them.
#pragma once

#include "tenon/backend/cpu/tag.hpp"

#include <bit>
#include <concepts>
#if defined(__SSE4_1__)
#  include <smmintrin.h>
#elif defined(__SSE2__)
#  include <emmintrin.h>
#endif

namespace tenon::backend::inline TENON_INSTRUCTION_SET {

// Sets the processor's modes flush-to-zero and denormals-are-zero, and at the end gives the caller's register
// back as it was: its modes, and its exception flags without those raised meanwhile. Where both modes are set
// already, or the processor has none, it does nothing; then flags are raised as by any arithmetic. The
// register of the modes can be read only when all arithmetic before has ended, so a caller who sets them once
// around many small steps gets them to overlap.
class flush_to_zero {
 public:
#if defined(__SSE2__)
  flush_to_zero() : sets_(!are_set()) {
    if (!sets_) return;
    before_ = _mm_getcsr();
    _mm_setcsr(before_ | modes);  // with the caller's flags: an Intel Xeon takes 80 ns when they are cleared
  }
  ~flush_to_zero() {
    if (sets_) _mm_setcsr(before_);
  }

 private:
  static constexpr unsigned modes = 0x8040;
  bool sets_;
  unsigned before_ = 0;

  static bool are_set() {
#  if defined(__SSE4_1__)
    // What arithmetic says, without reading the register: a subnormal operand is zero, and so is a subnormal
    // result. Rounding upwards raises no flag and traps nowhere; the product does only where the first mode is
    // set. A comparison would raise the caller's flag for subnormal operands, from which Intel Xeons suffer.
    static const volatile float subnormal = 0x1p-140f, small = 0x1p-70f;  // not known to the compiler
    const __m128 given = _mm_set_ss(subnormal);
    const __m128 upwards = _mm_round_ss(given, given, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    return _mm_cvtsi128_si32(_mm_castps_si128(upwards)) == 0 && std::bit_cast<int>(small * small) == 0;
#  else
    return (_mm_getcsr() & modes) == modes;
#  endif
  }

 public:
#else
  flush_to_zero() {}
#endif
  flush_to_zero(const flush_to_zero&) = delete;
  flush_to_zero& operator=(const flush_to_zero&) = delete;
};

// What holds while a session runs.
inline flush_to_zero begin_run(cpu) { return flush_to_zero(); }

}  // namespace tenon::backend::inline TENON_INSTRUCTION_SET
