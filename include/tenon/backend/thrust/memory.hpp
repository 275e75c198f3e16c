// The memory of Thrust's device, which holds all operands of its kernels. On a plain CPU it is ordinary memory in separate blocks: a
// session copies to and from it there too.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/thrust/failure.hpp"
#include "tenon/backend/thrust/stream.hpp"
#include "tenon/backend/thrust/system.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  include <cuda_runtime_api.h>
#endif

#include <cstddef>
#include <new>
#include <string>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
// Throws a std::bad_alloc if there is too little memory, a device_error if there is no device.
inline void* allocate(thrust_device, std::size_t bytes) {
  thrust_detail::refuse_in_capture("allocating memory");
  void* block = nullptr;
  const cudaError_t error = cudaMalloc(&block, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // clears the error, so that the next call does not report it
    throw std::bad_alloc();
  }
  if (error != cudaSuccess) throw device_error(thrust_detail::sentence_of(error));
  return block;
}
inline void release(thrust_device, void* block) { cudaFree(block); }
inline std::size_t free_bytes(thrust_device) {
  std::size_t available = 0, all = 0;
  return cudaMemGetInfo(&available, &all) == cudaSuccess ? available : 0;
}
// A pointer that neither CUDA nor its driver knows belongs to the program's memory.
inline bool is_own_memory(thrust_device, const void* pointer) {
  cudaPointerAttributes of{};
  if (cudaPointerGetAttributes(&of, pointer) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return of.type == cudaMemoryTypeDevice || of.type == cudaMemoryTypeManaged;
}
// From the program's memory to the device's. The caller may change the numbers as soon as it returns.
inline void copy_in(thrust_device, const void* from, void* to, std::size_t bytes) {
  thrust_detail::refuse_in_capture("copying to the device");
  thrust_detail::check(
      cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, thrust_detail::stream_of_thread),
      "copying to the CUDA device");
}
// From the device's memory to the program's, after all work that is queued in the stream.
inline void copy_out(thrust_device, const void* from, void* to, std::size_t bytes) {
  thrust_detail::refuse_in_capture("copying from the device");
  thrust_detail::check(
      cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, thrust_detail::stream_of_thread),
      "copying from the CUDA device");
  wait_for(thrust_device{}, thrust_detail::stream_of_thread);
}
#else
inline void* allocate(thrust_device, std::size_t bytes) {
  thrust_detail::refuse_in_capture("allocating memory");
  return thrust::raw_pointer_cast(thrust::device_malloc<char>(bytes));
}
inline void release(thrust_device, void* block) {
  thrust::device_free(thrust::device_pointer_cast(static_cast<char*>(block)));
}
// From the program's memory to the device's.
inline void copy_in(thrust_device, const void* from, void* to, std::size_t bytes) {
  thrust_detail::refuse_in_capture("copying to the device");
  const char* const first = static_cast<const char*>(from);
  thrust::copy(first, first + bytes, thrust::device_pointer_cast(static_cast<char*>(to)));
}
inline void copy_out(thrust_device, const void* from, void* to, std::size_t bytes) {
  thrust_detail::refuse_in_capture("copying from the device");
  const auto first = thrust::device_pointer_cast(static_cast<const char*>(from));
  thrust::copy(first, first + static_cast<std::ptrdiff_t>(bytes), static_cast<char*>(to));
}
#endif

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
