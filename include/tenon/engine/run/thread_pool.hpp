// thread_pool: threads that wait for work and share it by number, so that each does the same work whatever the timing.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/engine/run/crew.hpp"
#include "tenon/system/calls.hpp"
#include "tenon/system/threads.hpp"

#include <atomic>
#include <exception>
#include <vector>

namespace tenon::engine {

// Throws input_error if there is not one.
int checked_count(threads at_most);

// The caller and size() - 1 further threads, which are made once. Sharing work allocates nothing. A child of fork has a
// copy of the pool without its threads.
class thread_pool {
 public:
  explicit thread_pool(int size);
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;
  ~thread_pool() { stop(); }

  int size() const { return static_cast<int>(failures_.size()); }

  // Calls f(k) for k = 0 .. count - 1 and returns when all are done: worker m does m, m + size(), ... in this order. If
  // calls throw, it throws the exception of the least k. Throws input_error in another process than the pool's.
  template <class F>
  void parallel_for(int count, F f) {
    if (size() == 1 || count <= 1) {
      for (int k = 0; k < count; ++k) f(k);
      return;
    }
    if (!is_in_own_process())
      throw input_error(
          "threads: this process was made by fork, after which only the thread that called it is left; make "
          "the trainer or session after fork");
    count_ = count;
    work_ = &f;
    call_ = [](void* function, int k) { (*static_cast<F*>(function))(k); };
    busy_.store(size() - 1, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    run_mine(0);
    for (int left = busy_.load(std::memory_order_acquire); left > 0;
         left = busy_.load(std::memory_order_acquire))
      wait_while(busy_, left);
    rethrow();
  }

 private:
  struct failure {
    int k = 0;
    std::exception_ptr thrown{};
  };

  void serve(int worker);
  void run_mine(int worker);
  void rethrow();
  bool is_in_own_process() const { return system_calls::process_number() == process_; }
  void stop();
  // Spins for as long as the gaps inside a training step last, some ten microseconds, because waking up takes as long.
  // It yields in between, so that a shared core does not lose that time.
  static void wait_while(const std::atomic<int>& value, int old);

  const long process_ = system_calls::process_number();
  std::vector<failure> failures_;
  int count_ = 0;
  void* work_ = nullptr;
  void (*call_)(void*, int) = nullptr;
  bool stopped_ = false;
  alignas(64) std::atomic<int> round_{0};
  alignas(64) std::atomic<int> busy_{0};
  std::vector<system_calls::thread> threads_;
};

}  // namespace tenon::engine

namespace tenon {
// See crew.
engine::waiting_threads start_threads(threads at_most);
}  // namespace tenon

#ifndef TENON_COMPILED
#  include "tenon/engine/run/thread_pool.ipp"
#endif
