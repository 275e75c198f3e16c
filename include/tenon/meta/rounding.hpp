// TENON_ROUNDS_EACH: for functions that all files of a program share, whatever instructions each file may use, and
// whose results must be the same in all of them: each multiplication is rounded by itself. Otherwise compilers fuse a
// multiplication and the addition after it into one operation, which rounds once, if the processor has it.
//   TENON_ROUNDS_EACH inline double line(double x) {
//     TENON_ROUNDS_EACH_HERE
//     return 2.5 * x + 1;
//   }
// g++ needs this before a function, clang inside it.
#pragma once

#if defined(__clang__)
#  define TENON_ROUNDS_EACH
#  define TENON_ROUNDS_EACH_HERE _Pragma("clang fp contract(off)")
#elif defined(__GNUC__)
#  define TENON_ROUNDS_EACH [[gnu::optimize("fp-contract=off")]]
#  define TENON_ROUNDS_EACH_HERE
#else
#  define TENON_ROUNDS_EACH
#  define TENON_ROUNDS_EACH_HERE
#endif

namespace tenon::inline v0_1::detail {
// x y + z, rounded twice.
TENON_ROUNDS_EACH inline double multiply_add(double x, double y, double z) {
  TENON_ROUNDS_EACH_HERE
  return x * y + z;
}
}  // namespace tenon::inline v0_1::detail

namespace tenon::inline v0_1::ir {

// a, rounded as it is: with -ffast-math compilers would take a sum apart that is used in another sum.
inline double rounded_here(double a) {
#if defined(__FAST_MATH__) && defined(__GNUC__)
  asm("" : "+m"(a));
#endif
  return a;
}

}  // namespace tenon::inline v0_1::ir
