// The bodies of thread_pool.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <string>
#include <utility>

namespace tenon::inline v0_1::engine {

TENON_INLINE int checked_count(threads at_most) {
  if (at_most.count < 1)
    throw input_error("threads{" + std::to_string(at_most.count) + "}: expected at least one thread");
  return at_most.count;
}

TENON_INLINE thread_pool::thread_pool(int size)
    : failures_(static_cast<std::size_t>(size)), numbers_(failures_.size()) {
  threads_.reserve(failures_.size() - 1);
  try {
    for (int worker = 1; worker < size; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
  } catch (...) {
    stop();
    throw;
  }
}

TENON_INLINE void thread_pool::serve(int worker) {
  int seen = 0, divided = 0;
  for (;;) {
    wait_while(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (stopped_.load(std::memory_order_acquire)) return;
    if (divided_.load(std::memory_order_acquire) != divided) {
      ++divided;
      run_mine(worker);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
    do_what_is_free(worker);
  }
}

TENON_INLINE void thread_pool::share(void (*call)(void*, int), void* function) {
  check_process();
  shared_call_ = call;
  shared_ = function;
  left_.store(size(), std::memory_order_relaxed);
  shares_.fetch_add(1, std::memory_order_release);
  wake();
  do_what_is_free(0);
  for (int left = left_.load(std::memory_order_acquire); left > 0;
       left = left_.load(std::memory_order_acquire))
    wait_while(left_, left);
}

TENON_INLINE void thread_pool::do_what_is_free(int first) {
  const unsigned now = shares_.load(std::memory_order_acquire);
  for (int n = 0; n < size(); ++n) {
    const int k = (first + n) % size();
    unsigned before = now - 1;
    if (!numbers_[static_cast<std::size_t>(k)].begun.compare_exchange_strong(before, now,
                                                                             std::memory_order_acq_rel))
      continue;
    shared_call_(shared_, k);
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
  }
}

TENON_INLINE void thread_pool::check_process() const {
  if (!is_in_own_process())
    throw input_error(
        "threads: this process was made by fork, after which only the thread that called it is left; make "
        "the trainer or session after fork");
}

TENON_INLINE void thread_pool::run_mine(int worker) {
  failure& mine = failures_[static_cast<std::size_t>(worker)];
  try {
    for (mine.k = worker; mine.k < count_; mine.k += size()) call_(work_, mine.k);
  } catch (...) { mine.thrown = std::current_exception(); }
}

TENON_INLINE void thread_pool::rethrow() {
  failure* first = nullptr;
  for (failure& one : failures_)
    if (one.thrown && (!first || one.k < first->k)) first = &one;
  if (!first) return;
  const std::exception_ptr thrown = first->thrown;
  for (failure& one : failures_) one.thrown = nullptr;
  std::rethrow_exception(thrown);
}

TENON_INLINE void thread_pool::stop() {
  if (!is_in_own_process()) {  // the handles of threads that are not there may be neither joined nor detached
    new std::vector<system_calls::thread>(std::move(threads_));
    return;
  }
  stopped_.store(true, std::memory_order_release);
  wake();
  for (system_calls::thread& thread : threads_) thread.join();
  threads_.clear();
}

TENON_INLINE void thread_pool::wait_while(const std::atomic<int>& value, int old) {
  for (int turn = 0; turn < 100; ++turn) {
    for (int look = 0; look < 256; ++look)
      if (value.load(std::memory_order_acquire) != old) return;
    system_calls::yield();
  }
  value.wait(old, std::memory_order_acquire);
}

TENON_INLINE void start_threads(waiting_threads& to, threads at_most) {
  const int count = checked_count(at_most);
  if (count == 1) return;
  to = {new thread_pool(count), count,
        [](void* pool, void (*call)(void*, int), void* function) {
          static_cast<thread_pool*>(pool)->share(call, function);
        },
        [](void* pool) { delete static_cast<thread_pool*>(pool); }};
}

}  // namespace tenon::inline v0_1::engine
