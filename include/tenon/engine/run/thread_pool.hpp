// thread_pool: threads that wait for work and share it by number: each does its own number first, then that of a thread that is late.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/engine/run/crew.hpp"
#include "tenon/system/calls.hpp"
#include "tenon/system/threads.hpp"

#include <atomic>
#include <exception>
#include <vector>

namespace tenon::inline v0_1::engine {

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
    check_process();
    count_ = count;
    work_ = &f;
    call_ = [](void* function, int k) { (*static_cast<F*>(function))(k); };
    busy_.store(size() - 1, std::memory_order_relaxed);
    divided_.fetch_add(1, std::memory_order_release);
    wake();
    run_mine(0);
    for (int left = busy_.load(std::memory_order_acquire); left > 0;
         left = busy_.load(std::memory_order_acquire))
      wait_while(busy_, left);
    rethrow();
  }

  // Calls call(function, k) for k = 0 .. size() - 1, one of them on each thread, always the same, whose caches so keep what it reads; but
  // a thread that sleeps, or whose core the system has given to others, delays nothing: the first that is ready does its number, too. The
  // calls must not throw. Throws input_error as parallel_for does.
  void share(void (*call)(void* function, int k), void* function);

 private:
  struct failure {
    int k = 0;
    std::exception_ptr thrown{};
  };

  // In which call of share a number was begun last. It is free if that was the call before, so a thread that is late finds none.
  struct alignas(64) number {
    std::atomic<unsigned> begun{0};
  };

  void serve(int worker);
  void do_what_is_free(int first);
  void wake() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  void check_process() const;
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
  std::atomic<bool> stopped_{false};
  alignas(64) std::atomic<int> round_{0};
  alignas(64) std::atomic<int> busy_{0};
  std::atomic<int> divided_{0};  // calls of parallel_for
  void* shared_ = nullptr;
  void (*shared_call_)(void*, int) = nullptr;
  alignas(64) std::atomic<unsigned> shares_{0};  // calls of share
  alignas(64) std::atomic<int> left_{0};         // numbers of the last one that are not done
  std::vector<number> numbers_;
  std::vector<system_calls::thread> threads_;
};

// See crew.
void start_threads(waiting_threads& to, threads at_most);

}  // namespace tenon::inline v0_1::engine

#ifndef TENON_COMPILED
#  include "tenon/engine/run/thread_pool.ipp"
#endif
