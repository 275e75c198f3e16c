// What becomes of work that is asked for while it is captured. CUDA keeps it as a graph. On a plain CPU each piece, an object with the
// arguments that it was given, is kept as it is, and is called when the whole is queued.
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

namespace tenon::backend::inline TENON_DEVICE::thrust_detail {

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
inline thread_local cudaStream_t capturing_stream = nullptr;  // of this thread; null: nothing is captured
inline bool is_capturing() { return capturing_stream != nullptr; }
#else
template <class Call>
void run_call(const void* call) {
  (*static_cast<const Call*>(call))();
}
class recording {
 public:
  // call() may be run after all that it was made from is gone: it is copied as bytes, as a device copies the arguments of a kernel.
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
inline thread_local recording* recording_of_thread = nullptr;  // null: nothing is captured
inline bool is_capturing() { return recording_of_thread != nullptr; }
#endif

// Before what a capture cannot hold: the program would get numbers that are not made yet, or hand over some that it changes later.
inline void refuse_in_capture(const char* doing) {
  if (is_capturing()) throw device_error(std::string(doing) + ": work that is being captured cannot do this");
}

// A kernel or an algorithm: asked for now, or kept. On a plain CPU both run the same code: by a pointer that the compiler does not see
// through, else it would make one more for arguments that it knows, and round that in another way. Never a part of its caller: an
// operation of a network asks for many.
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

}  // namespace tenon::backend::inline TENON_DEVICE::thrust_detail
