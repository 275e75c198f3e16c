// flush_to_zero: treats subnormal numbers as zeros while a session runs. They carry no information that training or
// inference needs, and many processors take a hundred times longer for them.
#pragma once

#include "tenon/backend/cpu/tag.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#if defined(__SSE4_1__)
#  include <smmintrin.h>
#elif defined(__SSE2__)
#  include <emmintrin.h>
#endif

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

// Sets the processor's modes flush-to-zero and denormals-are-zero, and at the end restores the caller's register:
// its modes, and its exception flags without those raised in between. If both modes are already set, or the
// processor does not have them, it does nothing; then arithmetic raises flags as usual. Reading the register of
// the modes waits until all earlier arithmetic has ended, so a caller who sets the modes once around many small
// steps lets the steps overlap.
class flush_to_zero {
 public:
#if defined(__SSE2__) && !defined(TENON_PORTABLE)
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

#  if defined(__SSE4_1__)
  static inline const volatile float subnormal = 0x1p-140f,
                                     small = 0x1p-70f;  // volatile: unknown to the compiler
#  endif
  static bool are_set() {
#  if defined(__SSE4_1__)
    // Tests the modes by arithmetic instead of reading the register: a subnormal operand becomes zero, and so does a
    // subnormal result. Rounding upwards raises no flag and never traps; the product does only if the first mode is
    // set. A comparison would raise the caller's flag for subnormal operands, which slows Intel Xeons down.
    const __m128 number = _mm_set_ss(subnormal);
    const __m128 upwards = _mm_round_ss(number, number, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
    return _mm_cvtsi128_si32(_mm_castps_si128(upwards)) == 0 && std::bit_cast<int>(small * small) == 0;
#  else
    return (_mm_getcsr() & modes) == modes;
#  endif
  }

 public:
#elif defined(__aarch64__) && !defined(TENON_PORTABLE)
  // One mode, for operands and for results.
  flush_to_zero() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    if ((before_ & mode) == 0) asm volatile("msr fpcr, %0" : : "r"(before_ | mode) : "memory");
  }
  ~flush_to_zero() {
    if ((before_ & mode) == 0) asm volatile("msr fpcr, %0" : : "r"(before_) : "memory");
  }

 private:
  static constexpr std::uint64_t mode = 1 << 24;
  std::uint64_t before_;

 public:
#else
  flush_to_zero() {}
#endif
  flush_to_zero(const flush_to_zero&) = delete;
  flush_to_zero& operator=(const flush_to_zero&) = delete;
};

// The mode is set while a session runs.
inline flush_to_zero begin_run(cpu) { return flush_to_zero(); }

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
