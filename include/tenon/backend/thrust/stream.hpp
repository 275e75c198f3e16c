// on_stream: in which stream of a GPU a thread's work is queued.
#pragma once

#include "tenon/backend/thrust/recording.hpp"
#include "tenon/backend/thrust/system.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <thrust/execution_policy.h>
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  include "tenon/backend/thrust/failure.hpp"

#  include <cuda_runtime_api.h>
#  include <thrust/system/cuda/execution_policy.h>
#endif

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

// On a plain CPU there is nothing to wait for: work is done as soon as it is queued. A stream is a number there, so that a program written
// for both can tell its streams apart.
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
using device_stream = cudaStream_t;
#else
using device_stream = int;
#endif

namespace thrust_detail {
inline thread_local device_stream stream_of_thread{};  // CUDA's default stream

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
// The stream in which kernels start: the thread's stream, or the one that is being captured.
inline device_stream stream_of_kernels() { return is_capturing() ? capturing_stream : stream_of_thread; }
#endif

// The execution policy of every algorithm. On a GPU it does not wait; code that needs a result waits itself.
inline auto policy() {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  return thrust::cuda::par_nosync.on(stream_of_kernels());
#else
  return thrust::device;
#endif
}
// The same for an algorithm that needs temporary memory.
template <class Allocator>
auto policy_with(Allocator& allocator) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  return thrust::cuda::par_nosync(allocator).on(stream_of_kernels());
#else
  return thrust::device(allocator);
#endif
}
}  // namespace thrust_detail

inline device_stream current_stream(thrust_device) { return thrust_detail::stream_of_thread; }
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
inline void wait_for(thrust_device, device_stream stream) {
  thrust_detail::refuse_in_capture("waiting for a stream");
  thrust_detail::check(cudaStreamSynchronize(stream), "waiting for a stream");
}
#else
inline void wait_for(thrust_device, device_stream) {
  thrust_detail::refuse_in_capture("waiting for a stream");
}
#endif

#if THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA
namespace thrust_detail {
template <class Call>
struct call_in_stream {
  Call call;
  void operator()() const { call(nullptr); }
};
}  // namespace thrust_detail
#endif
// Queues work of another library: call(stream) passes it to a CUDA stream, also during a capture. `call` is copied as bytes where it is kept.
template <class Call>
void queue_call(thrust_device, const Call& call) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  call(static_cast<void*>(thrust_detail::stream_of_kernels()));
#else
  thrust_detail::queue(thrust_detail::call_in_stream<Call>{call});
#endif
}

// While this object lives, the work of this thread's sessions, trainers and parameters on thrust_device is queued in this stream:
//   const backend::on_stream here(mine);
//   model(theta, x);
class on_stream {
 public:
  explicit on_stream(device_stream stream) : before_(thrust_detail::stream_of_thread) {
    thrust_detail::stream_of_thread = stream;
  }
  on_stream(const on_stream&) = delete;
  on_stream& operator=(const on_stream&) = delete;
  ~on_stream() { thrust_detail::stream_of_thread = before_; }

 private:
  device_stream before_;
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
