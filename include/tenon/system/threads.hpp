// system_calls::thread: std::thread; on WebAssembly without threads one that cannot be started.
#pragma once

#if !defined(__wasm__) || defined(_REENTRANT)
#  include <thread>
#else
#  include <system_error>
#endif

namespace tenon::system_calls {

#if !defined(__wasm__) || defined(_REENTRANT)
using thread = std::thread;
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
inline void yield() {}
#endif

}  // namespace tenon::system_calls
