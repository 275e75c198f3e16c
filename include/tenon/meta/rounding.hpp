// TENON_ROUNDS_EACH: for functions that all files of a program share, whatever instructions each may use, and whose numbers are to be
// the same for all: each multiplication is rounded by itself. Else compilers make a multiplication and the addition behind it one
// operation, which rounds once, where the processor has it.
//   TENON_ROUNDS_EACH inline double line(double x) {
//     TENON_ROUNDS_EACH_HERE
//     return 2.5 * x + 1;
//   }
// g++ is told in front of a function, clang in it.
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
