// Turns an error of a CUDA call into a device_error.
#pragma once

#include "tenon/backend/device_failure.hpp"
#include "tenon/backend/memory.hpp"
#include "tenon/backend/thrust/system.hpp"

#include <thrust/system_error.h>
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  include <cuda_runtime_api.h>
#  include <thrust/system/cuda/error.h>
#endif

#include <string>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::thrust_detail {

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
constexpr device_failure failure_of(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
      return device_failure::no_device;
    case cudaErrorInsufficientDriver:
    case cudaErrorUnsupportedPtxVersion:
      return device_failure::old_driver;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return device_failure::wrong_architecture;
    default:
      return device_failure::other;
  }
}
inline std::string sentence_of(cudaError_t error) {
  device_versions versions;
  int device = 0, major = 0, minor = 0;
  cudaDriverGetVersion(&versions.driver);
  cudaRuntimeGetVersion(&versions.runtime);
  if (cudaGetDevice(&device) == cudaSuccess &&
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess)
    versions.architecture = major * 10 + minor;
  cudaGetLastError();  // clears the error, so that the next call does not report it
  return backend::sentence_of(failure_of(error), versions, cudaGetErrorString(error));
}
inline void check(cudaError_t error, const char* doing) {
  if (error != cudaSuccess) throw device_error(std::string(doing) + ": " + sentence_of(error));
}
#endif

// A failure inside a kernel. Thrust wraps CUDA's errors; too little memory for an algorithm's temporary storage is a std::bad_alloc.
[[noreturn]] inline void fail(const char* kernel_name, const thrust::system_error& error) {
  std::string words = error.what();
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  if (error.code().category() == thrust::cuda_category())
    words = sentence_of(static_cast<cudaError_t>(error.code().value()));
#endif
  throw device_error(std::string(kernel_name) + ": " + words);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::thrust_detail
