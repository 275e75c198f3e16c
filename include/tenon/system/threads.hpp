// system_calls::thread: std::thread; on WebAssembly without threads one that cannot be started. current_thread(): which one this is.
#pragma once

#if !defined(__wasm__) || defined(_REENTRANT)
#  include <thread>
#else
#  include <system_error>
#endif

namespace tenon::inline v0_1::system_calls {

#if !defined(__wasm__) || defined(_REENTRANT)
using thread = std::thread;
using thread_id = std::thread::id;
inline thread_id current_thread() { return std::this_thread::get_id(); }
inline void yield() { std::this_thread::yield(); }
#else
struct thread {
  template <class F>
  explicit thread(F) {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                            "threads: this program was compiled without threads; give threads{1}");
  }
  void join() {}
};
using thread_id = int;
inline thread_id current_thread() { return 0; }
inline void yield() {}
#endif

}  // namespace tenon::inline v0_1::system_calls
