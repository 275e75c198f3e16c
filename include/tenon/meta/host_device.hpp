// TENON_HOST_DEVICE marks functions for the CPU and for CUDA kernels. TENON_NO_EXEC_CHECK before such a
// template also allows types that only the CPU has: its vectors. Both are empty without nvcc.
#pragma once

#include "tenon/meta/compiler.hpp"

#if defined(__CUDACC__)
#  define TENON_HOST_DEVICE __host__ __device__
#  define TENON_NO_EXEC_CHECK _Pragma("nv_exec_check_disable")
#else
#  define TENON_HOST_DEVICE
#  define TENON_NO_EXEC_CHECK
#endif

#if defined(__SANITIZE_ADDRESS__)  // g++
#  define TENON_SANITIZED 1
#elif defined(__has_feature)
#  define TENON_SANITIZED __has_feature(address_sanitizer)
#else
#  define TENON_SANITIZED 0
#endif

// For innermost functions and lambdas: their small arrays must become registers. Under the address sanitizer
// this gains nothing, and the large functions would take minutes to compile.
#if TENON_SANITIZED || !defined(__OPTIMIZE__)
#  define TENON_ALWAYS_INLINE
#  define TENON_FLATTEN
#else
#  define TENON_ALWAYS_INLINE __attribute__((always_inline))
#  define TENON_FLATTEN __attribute__((flatten))
#endif

// Before a loop whose count is a constant: unrolls the loop, so that arrays that it indexes become registers.
// Cheaper for the compiler than a lambda with a constant as its argument, which is a function for each iteration.
#if defined(__CUDACC__)
#  define TENON_UNROLL _Pragma("unroll")
#elif defined(__clang__)
#  define TENON_UNROLL _Pragma("clang loop unroll(full)")
#else
#  define TENON_UNROLL _Pragma("GCC unroll 128")
#endif
