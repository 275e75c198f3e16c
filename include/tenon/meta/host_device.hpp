// TENON_HOST_DEVICE marks what runs on the CPU and inside a CUDA kernel. Empty without nvcc.
#pragma once

#if defined(__CUDACC__)
#define TENON_HOST_DEVICE __host__ __device__
#else
#define TENON_HOST_DEVICE
#endif

// For innermost functions and lambdas: their small arrays must become registers.
#define TENON_ALWAYS_INLINE __attribute__((always_inline))
