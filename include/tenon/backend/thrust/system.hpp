// Selects Thrust's device before its first header: a plain CPU, if nvcc does not compile and nothing else was defined. TENON_DEVICE: an
// inline namespace with the name of that device around all code that runs on it, within that of the instruction set. So a program may
// contain the same network for several devices and several kinds of processor.
#pragma once

#include "tenon/backend/instruction_set.hpp"

#if !defined(__CUDACC__) && !defined(THRUST_DEVICE_SYSTEM)
#  define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif

#if !__has_include(<thrust/detail/config.h>)
#  error "Tenon's backends for devices need Thrust's headers, which nvcc brings. For another compiler: -I /usr/local/cuda/include/cccl of CUDA 13, or apt-get install libthrust-dev; with CMake, link tenon::thrust"
#endif
#include <thrust/detail/config.h>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA && defined(__CUDACC__)
#  define TENON_DEVICE TENON_INSTRUCTION_SET::inline on_cuda
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  define TENON_DEVICE TENON_INSTRUCTION_SET::inline on_cuda_without_nvcc
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
#  define TENON_DEVICE TENON_INSTRUCTION_SET::inline on_omp
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_TBB
#  define TENON_DEVICE TENON_INSTRUCTION_SET::inline on_tbb
#else
#  define TENON_DEVICE TENON_INSTRUCTION_SET::inline on_cpp
#endif
