// early_copy: numbers of the device that the program can read before the work queued after them is done.
#pragma once

#include "tenon/backend/thrust/memory.hpp"

#include <cstddef>
#include <vector>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

class early_copy {
 public:
  explicit early_copy(std::size_t bytes) : bytes_(bytes) {}
  early_copy(const early_copy&) = delete;
  early_copy& operator=(const early_copy&) = delete;

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  ~early_copy() {
    if (event_ != nullptr) cudaEventDestroy(event_);
    if (block_ != nullptr) cudaFreeHost(block_);
  }
  // Copies the bytes at `from` after all work that is queued in the stream.
  void queue(const void* from) {
    thrust_detail::refuse_in_capture(doing);
    if (block_ == nullptr) thrust_detail::check(cudaMallocHost(&block_, bytes_), doing);
    if (event_ == nullptr)
      thrust_detail::check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), doing);
    const device_stream stream = thrust_detail::stream_of_thread;
    thrust_detail::check(cudaMemcpyAsync(block_, from, bytes_, cudaMemcpyDeviceToHost, stream), doing);
    thrust_detail::check(cudaEventRecord(event_, stream), doing);
  }
  // Are they copied?
  bool is_done() const {
    const cudaError_t error = cudaEventQuery(event_);
    if (error != cudaErrorNotReady) thrust_detail::check(error, doing);
    return error == cudaSuccess;
  }
  // The bytes that were copied last; waits only for that copy.
  const void* wait() const {
    thrust_detail::check(cudaEventSynchronize(event_), doing);
    return block_;
  }

 private:
  static constexpr const char* doing = "copying from the CUDA device";
  std::size_t bytes_;
  void* block_ = nullptr;  // pinned: a copy into other memory would wait
  cudaEvent_t event_ = nullptr;
#else
  void queue(const void* from) {
    block_.resize(bytes_);
    copy_out(thrust_device{}, from, block_.data(), bytes_);
  }
  bool is_done() const { return true; }
  const void* wait() const { return block_.data(); }

 private:
  std::size_t bytes_;
  std::vector<char> block_;
#endif
};

early_copy early_copy_of(thrust_device);  // only its type is used

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
