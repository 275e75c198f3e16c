// thread_pool: threads that wait for work and share it by number, so that each does the same work whatever the timing.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <unistd.h>

#include <atomic>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

namespace tenon::engine {

// The caller and size() - 1 further threads, which are made once. Sharing work allocates nothing. A child of fork has a
// copy of the pool without its threads.
class thread_pool {
 public:
  explicit thread_pool(int size) : failures_(static_cast<std::size_t>(size)) {
    threads_.reserve(failures_.size() - 1);
    try {
      for (int worker = 1; worker < size; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
    } catch (...) {
      stop();
      throw;
    }
  }
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
          "the "
          "trainer after fork");
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

  void serve(int worker) {
    for (int seen = 0;; ++seen) {
      wait_while(round_, seen);
      if (stopped_) return;
      run_mine(worker);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }
  void run_mine(int worker) {
    failure& mine = failures_[static_cast<std::size_t>(worker)];
    try {
      for (mine.k = worker; mine.k < count_; mine.k += size()) call_(work_, mine.k);
    } catch (...) { mine.thrown = std::current_exception(); }
  }
  void rethrow() {
    failure* first = nullptr;
    for (failure& one : failures_)
      if (one.thrown && (!first || one.k < first->k)) first = &one;
    if (!first) return;
    const std::exception_ptr thrown = first->thrown;
    for (failure& one : failures_) one.thrown = nullptr;
    std::rethrow_exception(thrown);
  }
  bool is_in_own_process() const { return ::getpid() == process_; }
  void stop() {
    if (!is_in_own_process()) {  // the handles of threads that are not there may be neither joined nor detached
      new std::vector<std::jthread>(std::move(threads_));
      return;
    }
    stopped_ = true;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    threads_.clear();  // joins
  }
  // Spins for as long as the gaps inside a training step last, some ten microseconds, because waking up takes as long.
  // It yields in between, so that a shared core does not lose that time.
  static void wait_while(const std::atomic<int>& value, int old) {
    for (int turn = 0; turn < 100; ++turn) {
      for (int look = 0; look < 256; ++look)
        if (value.load(std::memory_order_acquire) != old) return;
      std::this_thread::yield();
    }
    value.wait(old, std::memory_order_acquire);
  }

  const ::pid_t process_ = ::getpid();
  std::vector<failure> failures_;
  int count_ = 0;
  void* work_ = nullptr;
  void (*call_)(void*, int) = nullptr;
  bool stopped_ = false;
  alignas(64) std::atomic<int> round_{0};
  alignas(64) std::atomic<int> busy_{0};
  std::vector<std::jthread> threads_;
};

}  // namespace tenon::engine
