// early_exchange: buckets of gradients that all shards of this rank have finished go to the other ranks while the rest is computed. Only the thread
// that trains sends; it looks after each operation of its own.
#pragma once

#include "tenon/distribute/shard_group.hpp"
#include "tenon/engine/run/executor.hpp"
#include "tenon/system/threads.hpp"

#include <atomic>
#include <exception>

namespace tenon::inline v0_1::engine {

// Exchange: exchange(range) sends a range of the gradients, progress() looks after what was sent; Exchange::buckets: gradient_buckets.
template <class Exchange>
class early_exchange {
  static constexpr const auto& buckets = Exchange::buckets;

 public:
  struct seen_by_shard : run_observer {
    explicit seen_by_shard(early_exchange& e) : run_observer{&passed}, of(e) {}
    early_exchange& of;
    int finished = 0;

    static void passed(run_observer& observer, int operation) {
      auto& mine = static_cast<seen_by_shard&>(observer);
      for (const int now = buckets.finished_after(operation); mine.finished < now; ++mine.finished)
        mine.of.done_[mine.finished].fetch_add(1, std::memory_order_acq_rel);
      mine.of.start_done();
    }
  };
  // shards: of this rank, with rows.
  early_exchange(int shards, Exchange exchange)
      : shards_(shards), exchange_(exchange), thread_(system_calls::current_thread()) {}
  // All ranks start the first `count` buckets, before they send anything else.
  void start(int count) {
    if (thrown_) std::rethrow_exception(thrown_);
    while (started_ < count) start_next();
  }

 private:
  void start_done() {
    if (system_calls::current_thread() != thread_ || thrown_) return;
    try {
      exchange_.progress();
      while (started_ < buckets.count() && done_[started_].load(std::memory_order_acquire) == shards_)
        start_next();
    } catch (...) { thrown_ = std::current_exception(); }  // other shards still run
  }
  void start_next() { exchange_(buckets.range(started_++)); }

  int shards_;
  Exchange exchange_;
  system_calls::thread_id thread_;
  std::atomic<int> done_[buckets.most + 1]{};  // by bucket: how many shards have it
  int started_ = 0;
  std::exception_ptr thrown_{};
};

}  // namespace tenon::inline v0_1::engine
