// The device of Thrust, before its first header: without nvcc, and where nothing else was defined, a plain CPU.
#pragma once

#if !defined(__CUDACC__) && !defined(THRUST_DEVICE_SYSTEM)
#  define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
