// shard_workers: who computes with the shards of a batch: this rank's threads, and the other ranks. The numbers of shards and of slices are
// those of all ranks; what a thread does, and in which order numbers are added, does not depend on how many there are of either.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/distribute/gather_all.hpp"
#include "tenon/distribute/shard_group.hpp"
#include "tenon/distribute/slice_sums.hpp"
#include "tenon/engine/run/thread_pool.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/train/trainer/learner.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tenon::inline v0_1::engine {
inline namespace TENON_INSTRUCTION_SET {

// N: shards of a batch. Size: elements of the blocks that are cut into as many slices.
template <class T, class Backend, int N, int Size>
class shard_workers {
 public:
  static constexpr distribute::block_slices slices{Size, N};

  shard_workers(threads at_most, distribute::shard_group& mine)
      : mine_(mine), sums_(mine.world(), N), pool_(std::min(checked_count(at_most), mine.size())) {}
  const distribute::shard_group& group() const { return mine_; }
  int threads_at_once() const { return pool_.size(); }

  // Calls f(k) for this rank's shards among the first `used`.
  template <class F>
  void each_shard(int used, F f) {
    pool_.parallel_for(mine_.used(used), [this, &f](int j) { f(mine_.first() + j); });
  }
  // Calls f(k, t) for all N pieces of what every rank does for itself; t: which thread does it.
  template <class F>
  void each_piece(F f) {
    pool_.parallel_for(N, [this, &f](int k) { f(k, k % pool_.size()); });
  }
  // Calls f(first element, end) for each slice of this rank, or returns the sum over all slices of what it returns.
  template <class F>
  void each_slice(F f) {
    each_shard(N, [&f](int slice) {
      [[maybe_unused]] const auto mode = backend::begin<Backend>();
      f(slices.begin(slice), slices.begin(slice + 1));
    });
  }
  template <class F>
  double sum_of_slices(F f) {
    double of_slice[N];
    each_shard(N, [&](int slice) {
      [[maybe_unused]] const auto mode = backend::begin<Backend>();
      of_slice[slice] = f(slices.begin(slice), slices.begin(slice + 1));
    });
    gather(of_slice, 1);
    return sum_of(of_slice, N);
  }
  // Gives this rank's slices of a block to all others, and gets theirs; the same for `width` numbers of each shard.
  void gather_slices(T* block) {
    mine_.gather(block, [](int slice) { return slices.begin(slice); });
  }
  // Of a block that has changed in some places alone, the same on all ranks: each(from, end, f) calls f(first, count) for those between.
  template <class Each>
  void gather_slices(T* block, Each each) {
    const int ranks = mine_.ranks();
    if (ranks == 1) return;
    const auto of_rank = [&](int rank, auto f) {
      each(slices.begin(mine_.first_of(rank)), slices.begin(mine_.first_of(rank + 1)), f);
    };
    std::size_t begin[N + 1]{}, count = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      of_rank(rank, [&](std::ptrdiff_t, std::ptrdiff_t some) { count += static_cast<std::size_t>(some); });
      begin[rank + 1] = count * sizeof(T);
    }
    changed_.resize(count);
    const int me = mine_.world().rank();
    T* next = changed_.data() + begin[me] / sizeof(T);
    of_rank(me, [&](std::ptrdiff_t first, std::ptrdiff_t some) {
      next = std::copy_n(block + first, some, next);
    });
    mine_.world().gather({reinterpret_cast<std::byte*>(changed_.data()), begin});
    const T* from = changed_.data();
    for (int rank = 0; rank < ranks; ++rank)
      of_rank(rank, [&](std::ptrdiff_t first, std::ptrdiff_t some) {
        if (rank != me) std::copy_n(from, some, block + first);
        from += some;
      });
  }
  void gather(double* numbers, int width) {
    mine_.gather(numbers, [width](int shard) { return shard * width; });
  }
  // The sum along the tree of the first `count` of numbers that lie `apart`.
  static double sum_of(const double* numbers, int count, int apart = 1) {
    distribute::tree_sum all;
    for (int k = 0; k < count; ++k) all.add(numbers[k * apart]);
    return all.value();
  }

  // Sums blocks of the first `used` shards of several ranks: see slice_sums. The slices of shard k are from start(k) on.
  template <class Start, class Each>
  void sum_over_ranks(int used, T* const* blocks, T* to, Start start, Each each) {
    sums_.sum(
        used, blocks, to, [&](int rank) { return start(mine_.first_of(rank)); }, each,
        [this](std::ptrdiff_t count, const T* from, T* more) { add_in_threads(count, from, more); });
  }
  // The same, range by range: while the last shard of this rank computes, on the thread that trains.
  void start_range(distribute::range mine, int used, T* const* blocks) {
    sums_.start_range(
        mine, used, blocks, [&](int rank) { return slices.begin(mine_.first_of(rank)); }, &add);
  }
  void finish_ranges(int used, T* to) {
    sums_.finish_ranges(
        used, to, [&](int rank) { return slices.begin(mine_.first_of(rank)); },
        [this](std::ptrdiff_t count, const T* from, T* more) { add_in_threads(count, from, more); });
  }
  void progress() const { sums_.progress(); }
  static void add(std::ptrdiff_t count, const T* from, T* to) {
    constexpr int row = distribute::block_slices::row;
    accumulate_rows<row>(Backend{}, static_cast<int>(count / row), from, row, to, row);
    for (std::ptrdiff_t k = count / row * row; k < count; ++k) to[k] += from[k];
  }

 private:
  void add_in_threads(std::ptrdiff_t count, const T* from, T* to) {
    constexpr std::ptrdiff_t few = 1 << 15;  // too few numbers for several threads
    const distribute::block_slices shares{count, count < few ? 1 : pool_.size()};
    pool_.parallel_for(shares.count, [&](int k) {
      [[maybe_unused]] const auto mode = backend::begin<Backend>();
      add(shares.begin(k + 1) - shares.begin(k), from + shares.begin(k), to + shares.begin(k));
    });
  }

  distribute::shard_group& mine_;
  distribute::slice_sums<T> sums_;
  std::vector<T> changed_{};  // numbers of a block with few of them
  thread_pool pool_;
};

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1::engine
