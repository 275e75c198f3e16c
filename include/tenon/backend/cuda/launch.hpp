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
//   fetch_four(array, at, from, count)     copies `count` floats from memory to there, and zeros for the rest of the four; does not wait
//   close_fetches()                        ends a group of fetches, which may be empty
//   wait_for_fetches<Open>()               waits for this thread's groups, but for the last Open
//   multiply_add(c, a, b)  adds on tensor cores a product of a 16 x 8 and an 8 x 8 matrix to a 16 x 8 matrix, which the lanes of a warp hold
//                          together; a lane has, with g = lane / 4 and t = lane % 4,  a: (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4);
//                          b: (t, g), (t + 4, g);  c: (g, 2 t), (g, 2 t + 1), (g + 8, 2 t), (g + 8, 2 t + 1). Only the first 11 bits of a
//                          factor count, and sums are cut off, not rounded. All lanes must call it, and has_tensor_cores must hold
// All threads of a block must reach every barrier: a thread that has nothing to do returns only after the last one.
// Blocks run in any order. Only if launch_together starts them, all at the same time, may a block wait for numbers of another:
//   publish(to, x)         writes x to memory, where other blocks look; never `unpublished`
//   look<Numbers>(from)    neighbouring numbers in memory, each as it was before or as it was published
//   pause()                in a loop that looks until a number is published
#pragma once

#include "tenon/backend/cuda/published.hpp"
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

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

inline constexpr int warp_size = 32;

// How many blocks a kernel runs in. y and z must be below 65,536: rows of a batch go along x.
struct grid {
  int x = 1, y = 1, z = 1;
#if TENON_ON_GPU
  dim3 dimensions() const {
    return dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
  }
#endif
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
#  if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  template <int Count>
  __device__ void fetch_four(plain_array<float, Count>& array, int at, const float* from, int count) {
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(array.numbers + at));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(4 * count)
                 : "memory");
  }
  __device__ void close_fetches() { asm volatile("cp.async.commit_group;" ::: "memory"); }
  template <int Open>
  __device__ void wait_for_fetches() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Open) : "memory");
  }
  __device__ void multiply_add(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
  }
#  else  // never called: see has_tensor_cores
  template <int Count>
  __device__ void fetch_four(plain_array<float, Count>&, int, const float*, int) {
    __trap();
  }
  __device__ void close_fetches() { __trap(); }
  template <int Open>
  __device__ void wait_for_fetches() {
    __trap();
  }
  __device__ void multiply_add(float (&)[4], const float (&)[4], const float (&)[2]) { __trap(); }
#  endif
  __device__ void publish(float* to, float x) {
    asm volatile("st.relaxed.gpu.global.f32 [%0], %1;" ::"l"(to), "f"(x) : "memory");
  }
  __device__ void publish(double* to, double x) {
    asm volatile("st.relaxed.gpu.global.f64 [%0], %1;" ::"l"(to), "d"(x) : "memory");
  }
  template <class Numbers>
  __device__ Numbers look(const float* from) {
    Numbers n;
    if constexpr (sizeof n == 16)
      asm volatile("ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(n.numbers[0]), "=f"(n.numbers[1]), "=f"(n.numbers[2]), "=f"(n.numbers[3])
                   : "l"(from));
    else
      for (int i = 0; i < int(sizeof n / sizeof(float)); ++i)
        asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(n.numbers[i]) : "l"(from + i));
    return n;
  }
  template <class Numbers>
  __device__ Numbers look(const double* from) {
    Numbers n;
    for (int i = 0; i < int(sizeof n / sizeof(double)); ++i)
      asm volatile("ld.relaxed.gpu.global.f64 %0, [%1];" : "=d"(n.numbers[i]) : "l"(from + i));
    return n;
  }
  __device__ void pause() {}
};
template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads) run_kernel(const Kernel kernel) {
  static_assert(sizeof(typename Kernel::template shared_memory<plain_array>) <= 48 * 1024);
  __shared__ typename Kernel::template shared_memory<plain_array> shared;
  device_thread<Kernel> thread{shared, {int(blockIdx.x), int(blockIdx.y), int(blockIdx.z)}, int(threadIdx.x)};
  kernel(thread);
}
#else
template <class Kernel, bool Together>
struct emulated_launch {
  Kernel kernel;
  grid blocks;
  const char* kernel_name;
  void operator()() const {
    try {
      if constexpr (Together) emulation::run_together(kernel, blocks.x, blocks.y, blocks.z);
      else emulation::run(kernel, blocks.x, blocks.y, blocks.z);
    } catch (const emulation::error& error) {
      throw device_error(std::string(kernel_name) + ": " + error.what());
    }
  }
};
#endif

// Does a kernel run in code for tensor cores? Code for a device before compute capability 8.0 has none.
template <class Kernel>
bool has_tensor_cores() {
#if TENON_ON_GPU
  static const bool has = [] {
    cudaFuncAttributes of{};
    thrust_detail::check(cudaFuncGetAttributes(&of, run_kernel<Kernel>), "cudaFuncGetAttributes");
    return of.ptxVersion >= 80;
  }();
  return has;
#else
  return true;
#endif
}

// Throws a device_error if the kernel cannot start; the message names the function that calls this. Does not wait: an error
// while the kernel runs is reported by the next copy. Never inlined, for the reason given at thrust_detail::queue.
template <class Kernel>
[[gnu::noinline]] void launch(const Kernel& kernel, grid blocks,
                              [[maybe_unused]] const char* kernel_name = __builtin_FUNCTION()) {
  static_assert(Kernel::threads % warp_size == 0 && Kernel::threads <= 1024);
  if (blocks.x <= 0 || blocks.y <= 0 || blocks.z <= 0) return;
#if TENON_ON_GPU
  run_kernel<<<blocks.dimensions(), Kernel::threads, 0, thrust_detail::stream_of_kernels()>>>(kernel);
  thrust_detail::check(cudaGetLastError(), kernel_name);
#else
  thrust_detail::queue(emulated_launch<Kernel, false>{kernel, blocks, kernel_name});
#endif
}

// How many blocks of a kernel can run at the same time.
template <class Kernel>
int blocks_at_once() {
#if TENON_ON_GPU
  int device = 0, can_wait = 0, processors = 0, blocks = 0;
  thrust_detail::check(cudaGetDevice(&device), "blocks_at_once");
  cudaDeviceGetAttribute(&can_wait, cudaDevAttrCooperativeLaunch, device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_kernel<Kernel>, Kernel::threads, 0);
  return can_wait * processors * blocks;
#else
  return emulation::blocks_at_once;
#endif
}
// launch, with blocks that wait for each other. There must not be more than blocks_at_once().
template <class Kernel>
[[gnu::noinline]] void launch_together(Kernel kernel, grid blocks,
                                       const char* kernel_name = __builtin_FUNCTION()) {
#if TENON_ON_GPU
  void* arguments[]{&kernel};
  thrust_detail::check(cudaLaunchCooperativeKernel(run_kernel<Kernel>, blocks.dimensions(), Kernel::threads,
                                                   arguments, 0, thrust_detail::stream_of_kernels()),
                       kernel_name);
#else
  thrust_detail::queue(emulated_launch<Kernel, true>{kernel, blocks, kernel_name});
#endif
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
