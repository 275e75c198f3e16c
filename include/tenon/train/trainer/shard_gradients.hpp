// shard_gradients: the gradients of a rank's shards, each of which adds up its own over several batches, and their sum over the shards of all
// ranks along the tree. Those of the first shard are the caller's block, which becomes the sum in this rank's slices.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/train/optimizers/clip.hpp"
#include "tenon/train/trainer/shard_workers.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace tenon::inline v0_1::engine {
inline namespace TENON_INSTRUCTION_SET {

// Touched: touched_by<G, Plan>.
template <class G, class T, class Touched, class Workers>
class shard_gradients {
  struct sums_of_shard : parameters<G, T> {
    sums_of_shard() : parameters<G, T>(zeros{}) {}
  };
  static constexpr std::ptrdiff_t size = Workers::slices.size;
  static constexpr int shards = Workers::slices.count;

 public:
  explicit shard_gradients(Workers& workers)
      : workers_(workers),
        more_(std::make_unique<sums_of_shard[]>(place(mine().size() - 1))),
        touched_(std::make_unique<Touched[]>(place(mine().size()))) {}

  // The first batch begins.
  void begin() {
    begun_ = 0;
    is_exchanged_ = false;
  }
  // The shards of this rank have finished these gradients, and add nothing to them until the update.
  void exchange(distribute::range finished, int used, parameters<G, T>& first) {
    T* all[shards]{};
    for (int k = mine().first(); k < mine().end(); ++k) all[k] = block(k, first).data();
    workers_.start_range(finished, used, all);
    is_exchanged_ = true;
  }
  // Of a batch whose first `used` shards have rows, before shard k of this rank adds its gradients to block(k, first).
  void begin_shard(int k) {
    if (k <= mine().first() || k < begun_) return;
    T* const all = more_[place(k - mine().first() - 1)].data();
    touched_[place(k - mine().first())].each(
        [&](std::ptrdiff_t from, std::ptrdiff_t count) { std::fill_n(all + from, count, T(0)); });
    if constexpr (Touched::is_sparse) touched_[place(k - mine().first())].clear();
  }
  // After all of them have.
  void end_batch(int used) { begun_ = std::max(begun_, used); }
  parameters<G, T>& block(int k, parameters<G, T>& first) {
    return k > mine().first() ? more_[place(k - mine().first() - 1)] : first;
  }
  Touched& touched_by(int k, Touched& of_first) {
    return k > mine().first() ? touched_[place(k - mine().first())] : of_first;
  }
  Touched& touched_by_first() { return touched_[0]; }  // for a caller that has no set of its own

  // All but those of the first shard, which are the caller's.
  void scale(double factor) {
    if (factor == 1) return;
    workers_.each_shard(begun_, [this, factor](int k) {
      if (k == mine().first()) return;
      T* const all = more_[place(k - mine().first() - 1)].data();
      touched_[place(k - mine().first())].each(
          [&](std::ptrdiff_t from, std::ptrdiff_t count) { scale_range(all + from, count, factor); });
    });
  }
  // Every shard gets the rows of these tables, by their places in the block, that any shard touches.
  void share_touched(Touched& of_first, const auto& tables) requires(Touched::is_sparse) {
    if (!of_all_) of_all_ = std::make_unique<Touched>();
    of_all_->clear();
    for (const int table : tables) each_begun([&](int k) { of_all_->add(touched_by(k, of_first), table); });
    if (mine().ranks() > 1) join(*of_all_);
    for (const int table : tables) each_begun([&](int k) { touched_by(k, of_first).add(*of_all_, table); });
  }
  // Sums the gradients of all shards, and calls f(first element, end) for each slice of this rank.
  template <class F>
  void sum(parameters<G, T>& first, Touched& of_first, F f) {
    T* all[shards]{};
    for (int k = mine().first(); k < mine().end(); ++k) all[k] = block(k, first).data();
    if constexpr (Touched::is_sparse) join_touched(of_first);
    if (mine().ranks() == 1) {
      workers_.each_slice([&](std::ptrdiff_t from, std::ptrdiff_t end) {
        sum_here(from, end, all);
        f(from, end);
      });
    } else if (is_exchanged_) {
      workers_.finish_ranges(begun_, all[mine().first()]);
      is_exchanged_ = false;
      workers_.each_slice(f);
    } else {
      workers_.sum_over_ranks(
          begun_, all, all[mine().first()], [](int k) { return Workers::slices.begin(k); },
          [&](std::ptrdiff_t from, std::ptrdiff_t end, auto g) { of_first.each(from, end, g); });
      workers_.each_slice(f);
    }
  }

 private:
  static constexpr std::size_t place(int j) { return static_cast<std::size_t>(j); }
  const distribute::shard_group& mine() const { return workers_.group(); }
  template <class F>
  void each_begun(F f) const {
    for (int k = mine().first(); k < mine().first() + mine().used(begun_); ++k) f(k);
  }
  void sum_here(std::ptrdiff_t from, std::ptrdiff_t end, T* const* all) const {
    // So many that those of some shards stay in the first cache; but touched rows are walked once.
    constexpr std::ptrdiff_t at_once = Touched::is_sparse ? size : 64 * distribute::block_slices::row;
    for (std::ptrdiff_t at = from; at < end; at += at_once)
      distribute::each_addition(begun_, [&](int into, int other) {
        touched_[place(other)].each(at, std::min(at + at_once, end),
                                    [&](std::ptrdiff_t first, std::ptrdiff_t count) {
                                      Workers::add(count, all[other] + first, all[into] + first);
                                    });
      });
  }
  // Where rows are added, both sets have them; `of_first` becomes the set of all ranks.
  void join_touched(Touched& of_first) {
    const auto& owners = mine().owners();
    owners.each_addition_of(mine().world().rank(), begun_, [&](int into, int from) {
      touched_by(into, of_first).add(touched_by(from, of_first));
    });
    if (mine().ranks() == 1) return;
    each_begun([&](int k) {
      if (k > mine().first()) of_first.add(touched_by(k, of_first));
    });
    join(of_first);
    owners.each_addition_left(begun_, [&](int into, int) {
      if (mine().has(into) && into > mine().first()) touched_by(into, of_first).add(of_first);
    });
  }
  // The rows of all ranks, in the order of their shards.
  void join(Touched& rows) const {
    std::vector<int> written;
    rows.write([&](int number) { written.push_back(number); });
    written = distribute::gather_all(mine().world(), written);
    rows.clear();
    for (const int* next = written.data(); next != written.data() + written.size();) next = rows.add(next);
  }

  Workers& workers_;
  std::unique_ptr<sums_of_shard[]> more_;  // of all shards of this rank but the first
  std::unique_ptr<Touched[]>
      touched_;  // their rows that may be other than zero; the first one's: touched_by_first
  std::unique_ptr<Touched> of_all_;  // of tables that are multiplied
  int begun_ = 0;                    // shards of all ranks with rows in any batch
  bool is_exchanged_ = false;        // all of it is on its way to other ranks
};

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1::engine
