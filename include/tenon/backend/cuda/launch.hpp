// launch: runs a kernel on the blocks and threads of a GPU or, if nvcc does not compile for one, of its emulation on a CPU. A kernel is a
// struct that both can run:
//   static constexpr int threads                                 of a block: whole warps
//   template <template <class, int> class Array>
//   struct shared_memory { Array<float, 64> x; .. };             what the threads of a block share
//   template <class Thread>
//   TENON_KERNEL void operator()(Thread& thread) const
// A thread has block.x, .y, .z, its index in the block, and
//   synchronise()          waits until all threads of the block are here; then each sees what the others wrote to shared memory
//   shared.x[n]            a number; shared.x.at<several<T, 4>>(n): it and the next ones at once, where n is a multiple of their count
//   from_lane(x, bits)     the x of the thread of its warp whose number differs in these bits; all lanes must call it
// All threads of a block must reach every barrier: a thread that has nothing to do returns only after the last one.
#pragma once

#include "tenon/backend/thrust/launch.hpp"

#include <string>

#if defined(__CUDACC__) && THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  define TENON_ON_GPU 1
#  define TENON_KERNEL __device__
#  include <cuda_runtime_api.h>
#else
#  define TENON_ON_GPU 0
#  define TENON_KERNEL
#  include "tenon/backend/emulation/emulation.hpp"
#endif

namespace tenon::backend::inline TENON_DEVICE::cuda_detail {

inline constexpr int warp_size = 32;

// How many blocks a kernel runs in. y and z must be below 65,536: rows of a batch go along x.
struct grid {
  int x = 1, y = 1, z = 1;
};
// How many blocks of `together` items hold `count` items.
TENON_HOST_DEVICE constexpr int blocks_for(std::ptrdiff_t count, int together) {
  return static_cast<int>((count + together - 1) / together);
}

struct nothing_shared {};

#if TENON_ON_GPU
template <class T, int Count>
struct alignas(16) plain_array {
  T numbers[Count];
  __device__ T& operator[](int index) { return numbers[index]; }
  template <class Several>
  __device__ Several at(int index) const {
    return *reinterpret_cast<const Several*>(numbers + index);
  }
};
template <class Kernel>
struct device_thread {
  typename Kernel::template shared_memory<plain_array>& shared;
  struct {
    int x, y, z;
  } block;
  int index;

  __device__ void synchronise() { __syncthreads(); }
  template <class T>
  __device__ T from_lane(T mine, int bits) {
    return __shfl_xor_sync(0xffffffffu, mine, bits);
  }
};
template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads) run_kernel(const Kernel kernel) {
  __shared__ typename Kernel::template shared_memory<plain_array> shared;
  device_thread<Kernel> thread{shared, {int(blockIdx.x), int(blockIdx.y), int(blockIdx.z)}, int(threadIdx.x)};
  kernel(thread);
}
#else
template <class Kernel>
struct emulated_launch {
  Kernel kernel;
  grid blocks;
  const char* kernel_name;
  void operator()() const {
    try {
      emulation::run(kernel, blocks.x, blocks.y, blocks.z);
    } catch (const emulation::error& error) {
      throw device_error(std::string(kernel_name) + ": " + error.what());
    }
  }
};
#endif

// Throws a device_error if the kernel cannot start; the message names the function that calls this. Does not wait: an error
// while the kernel runs is reported by the next copy. Never inlined, for the reason given at thrust_detail::queue.
template <class Kernel>
[[gnu::noinline]] void launch(const Kernel& kernel, grid blocks,
                              [[maybe_unused]] const char* kernel_name = __builtin_FUNCTION()) {
  static_assert(Kernel::threads % warp_size == 0 && Kernel::threads <= 1024);
  if (blocks.x <= 0 || blocks.y <= 0 || blocks.z <= 0) return;
#if TENON_ON_GPU
  static_assert(sizeof(typename Kernel::template shared_memory<plain_array>) <= 48 * 1024);
  const dim3 all(static_cast<unsigned>(blocks.x), static_cast<unsigned>(blocks.y),
                 static_cast<unsigned>(blocks.z));
  run_kernel<<<all, Kernel::threads, 0, thrust_detail::stream_of_kernels()>>>(kernel);
  thrust_detail::check(cudaGetLastError(), kernel_name);
#else
  thrust_detail::queue(emulated_launch<Kernel>{kernel, blocks, kernel_name});
#endif
}

}  // namespace tenon::backend::inline TENON_DEVICE::cuda_detail
