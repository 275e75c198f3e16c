// The bodies of thread_pool.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <string>
#include <utility>

namespace tenon::engine {

TENON_INLINE int checked_count(threads at_most) {
  if (at_most.count < 1)
    throw input_error("threads{" + std::to_string(at_most.count) + "}: expected at least one thread");
  return at_most.count;
}

TENON_INLINE thread_pool::thread_pool(int size) : failures_(static_cast<std::size_t>(size)) {
  threads_.reserve(failures_.size() - 1);
  try {
    for (int worker = 1; worker < size; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
  } catch (...) {
    stop();
    throw;
  }
}

TENON_INLINE void thread_pool::serve(int worker) {
  for (int seen = 0;; ++seen) {
    wait_while(round_, seen);
    if (stopped_) return;
    run_mine(worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
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
  stopped_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
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

}  // namespace tenon::engine

namespace tenon {

TENON_INLINE engine::waiting_threads start_threads(threads at_most) {
  using engine::thread_pool;
  const int count = engine::checked_count(at_most);
  if (count == 1) return {};
  return {new thread_pool(count), count,
          [](void* pool, int pieces, void (*call)(void*, int), void* function) {
            static_cast<thread_pool*>(pool)->parallel_for(pieces, [&](int k) { call(function, k); });
          },
          [](void* pool) { delete static_cast<thread_pool*>(pool); }};
}

}  // namespace tenon
