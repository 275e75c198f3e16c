// What happens to work that is queued during a capture. CUDA keeps it as a graph. On a plain CPU each piece of work, a function object with
// its arguments, is copied and is called when the whole graph is queued.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/thrust/system.hpp"

#include <thrust/execution_policy.h>  // the numbers of the device systems
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#  include <cuda_runtime_api.h>
#else
#  include <cstddef>
#  include <cstring>
#  include <memory>
#  include <type_traits>
#  include <vector>
#endif

#include <string>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::thrust_detail {

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
inline thread_local cudaStream_t capturing_stream = nullptr;  // of this thread; null: no capture
inline bool is_capturing() { return capturing_stream != nullptr; }
#else
template <class Call>
void run_call(const void* call) {
  (*static_cast<const Call*>(call))();
}
class recording {
 public:
  // call() may run after its arguments' owners are gone, so it is copied as bytes, as a device copies the arguments of a kernel.
  template <class Call>
  void add(const Call& call) {
    static_assert(std::is_trivially_copyable_v<Call> && alignof(Call) <= alignof(std::max_align_t));
    pieces_.push_back({&run_call<Call>, std::unique_ptr<char[]>(new char[sizeof call])});
    std::memcpy(pieces_.back().arguments.get(), &call, sizeof call);
  }
  void run() const {
    for (const piece& p : pieces_) p.run(p.arguments.get());
  }
  std::size_t size() const { return pieces_.size(); }

 private:
  struct piece {
    void (*run)(const void*);
    std::unique_ptr<char[]> arguments;
  };
  std::vector<piece> pieces_;
};
inline thread_local recording* recording_of_thread = nullptr;  // null: no capture
inline bool is_capturing() { return recording_of_thread != nullptr; }
#endif

// Call before work that cannot be captured: the program would read numbers not computed yet, or pass numbers that it changes later.
inline void refuse_in_capture(const char* doing) {
  if (is_capturing()) throw device_error(std::string(doing) + ": work that is being captured cannot do this");
}

// Runs a kernel or an algorithm now, or records it during a capture. On a plain CPU both run the same code, through a pointer that the
// compiler does not see through; otherwise it would compile another version for known arguments and round differently. Never inlined,
// because an operation of a network calls it many times.
template <class Call>
[[gnu::noinline]] void queue(const Call& call) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  call();
#else
  if (recording* const all = recording_of_thread; all != nullptr) return all->add(call);
  void (*volatile run)(const void*) = &run_call<Call>;
  run(&call);
#endif
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::thrust_detail
