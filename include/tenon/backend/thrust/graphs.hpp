// work_graphs: work that a thread queues is captured once and can then be queued as a whole any number of times. On a GPU: a CUDA graph.
#pragma once

#include "tenon/backend/thrust/recording.hpp"
#include "tenon/backend/thrust/scratch.hpp"

#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
// Captures the work that this thread queues, in a separate stream, because CUDA's default stream cannot be captured.
class stream_capture {
 public:
  stream_capture() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), doing);
    if (const cudaError_t error = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal);
        error != cudaSuccess) {
      cudaStreamDestroy(stream_);
      check(error, doing);
    }
    capturing_stream = stream_;
  }
  stream_capture(const stream_capture&) = delete;
  stream_capture& operator=(const stream_capture&) = delete;
  ~stream_capture() {
    if (capturing_stream != nullptr) {  // finish() was not reached: the captured work failed
      if (cudaGraph_t graph = end(); graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();
    }
    cudaStreamDestroy(stream_);
  }
  cudaGraphExec_t finish() {
    cudaGraph_t graph = end();
    check(error_, doing);
    cudaGraphExec_t made = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&made, graph, 0);
    cudaGraphDestroy(graph);
    check(error, doing);
    return made;
  }

 private:
  static constexpr const char* doing = "capturing a CUDA graph";
  cudaStream_t stream_ = nullptr;
  cudaError_t error_ = cudaSuccess;

  cudaGraph_t end() {
    capturing_stream = nullptr;
    cudaGraph_t graph = nullptr;
    error_ = cudaStreamEndCapture(stream_, &graph);
    return graph;
  }
};
#else
class record_of_thread {
 public:
  explicit record_of_thread(recording& to) { recording_of_thread = &to; }
  record_of_thread(const record_of_thread&) = delete;
  record_of_thread& operator=(const record_of_thread&) = delete;
  ~record_of_thread() { recording_of_thread = nullptr; }
};
#endif

}  // namespace thrust_detail

// The graphs of one session. They share the kernels' temporary memory, because the session's runs follow each other.
class work_graphs {
 public:
  class graph {
   public:
    graph() = default;
    graph(graph&& other) noexcept { *this = std::move(other); }
    graph& operator=(graph&& other) noexcept {
      std::swap(work_, other.work_);
      std::swap(memory_, other.memory_);
      return *this;
    }
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
    ~graph() {
      if (work_ != nullptr) cudaGraphExecDestroy(work_);  // takes effect after its queued runs
    }

   private:
    cudaGraphExec_t work_ = nullptr;
#else
    std::size_t size() const { return work_.size(); }

   private:
    thrust_detail::recording work_;
#endif
    friend work_graphs;
    long memory_ = -1;  // the memory's state when it was captured
  };

  // How often a block of that memory has been replaced by a larger one.
  long memory_state() const { return memory_.released(); }
  // Calls run() with that memory. A later capture of the same work, in the same memory_state(), allocates nothing.
  template <class Run>
  void run(Run run) {
    const thrust_detail::scratch::lent mine(memory_);
    run();
  }
  // Captures the work that run() queues, without doing it. Throws a device_error if run() waits for the device.
  template <class Run>
  graph capture(Run run) {
    graph made;
    const thrust_detail::scratch::lent mine(memory_);
    memory_.follow();
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
    thrust_detail::stream_capture capture;
    run();
    made.work_ = capture.finish();
#else
    const thrust_detail::record_of_thread capture(made.work_);
    run();
#endif
    made.memory_ = memory_.released();
    return made;
  }
  // May the graph still be queued? Not if it is empty, or if a block of its memory has been replaced by a larger one since.
  bool is_current(const graph& one) const { return one.memory_ == memory_.released(); }
  // Queues the graph in this thread's stream.
  void queue(const graph& one) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
    thrust_detail::check(cudaGraphLaunch(one.work_, thrust_detail::stream_of_thread), "a captured run");
#else
    one.work_
        .run();  // does not lend memory_: a sort would allocate blocks there that count as free but are used by the graph
#endif
  }

 private:
  thrust_detail::scratch memory_;
};

work_graphs graphs_of(thrust_device);  // only its type is used

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
