// slice_sums: sums of blocks over the shards of all ranks, along the tree; each rank gets those of its own slices. A block is summed as a whole, or
// range by range, while the gradients of the next range are still computed.
#pragma once

#include "tenon/distribute/any_communicator.hpp"
#include "tenon/distribute/shard_owners.hpp"
#include "tenon/distribute/sum_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tenon::inline v0_1::distribute {

template <class T>
class slice_sums {
 public:
  slice_sums(const any_communicator& world, int shards) : world_(world), owners_{shards, world.size()} {}

  // The sum over the first `count` shards. blocks[k] is the block of shard k, for the shards of this rank, and changes. The slices of rank r
  // are from start(r) to before start(r + 1); the sum of this rank's ends in `to`, which may be one of these blocks.
  //   each(from, end, f) calls f(first, count) for the pieces of a range that are summed, the same ones on all ranks
  //   add(count, from, to) adds from[i] to to[i]
  template <class Start, class Each, class Add>
  void sum(int count, T* const* blocks, T* to, Start start, Each each, Add add) {
    message& all = message_at(0);
    prepare(all, count, blocks, start, each, add);
    world_.exchange(all.out(), all.in());
    add_what_came(all, count, to, start, each, add);
  }
  // The same, range by range: each is started when the shards of this rank have it, in the same order on all ranks, and finish_ranges() waits
  // for all of them.
  template <class Start, class Add>
  void start_range(range mine, int count, T* const* blocks, Start start, Add add) {
    message& next = message_at(started_++);
    next.of = mine;
    prepare(next, count, blocks, start, clipped(mine), add);
    next.started = world_.start(next.out(), next.in());
  }
  template <class Start, class Add>
  void finish_ranges(int count, T* to, Start start, Add add) {
    for (std::size_t k = 0; k < started_; ++k) {
      world_.finish(messages_[k].started);
      add_what_came(messages_[k], count, to, start, clipped(messages_[k].of), add);
    }
    started_ = 0;
  }
  void progress() const { world_.progress(); }

 private:
  // Where the sum of a shard is, in the slices of this rank: in its block, or as it was received, from a number on.
  struct place {
    T* block = nullptr;
    std::size_t received = 0;
  };
  struct message {
    range of{};
    int started = 0;
    std::vector<std::size_t> begin_sent{}, begin_received{};
    std::vector<T> sent{}, received{};
    std::vector<place> places{};  // by shard

    pieces out() { return {reinterpret_cast<std::byte*>(sent.data()), begin_sent.data()}; }
    pieces in() { return {reinterpret_cast<std::byte*>(received.data()), begin_received.data()}; }
    T* numbers_of(int shard, std::ptrdiff_t first, std::size_t passed) {
      const place& sum = places[at(shard)];
      return sum.block != nullptr ? sum.block + first : received.data() + sum.received + passed;
    }
  };
  static std::size_t at(std::ptrdiff_t k) { return static_cast<std::size_t>(k); }
  message& message_at(std::size_t k) {
    if (k >= messages_.size()) messages_.resize(k + 1);
    message& m = messages_[k];
    const std::size_t ranks = at(world_.size());
    m.begin_sent.resize(ranks + 1);
    m.begin_received.resize(ranks + 1);
    m.places.resize(at(owners_.shards));
    return m;
  }
  static auto clipped(range mine) {
    return [mine](std::ptrdiff_t from, std::ptrdiff_t end, auto f) {
      const std::ptrdiff_t first = std::max(from, mine.first), last = std::min(end, mine.end);
      if (first < last) f(first, last - first);
    };
  }
  // Adds what this rank can add by itself, and writes what it sends to the owner of some slices: the sums that it has, one after the other.
  template <class Start, class Each, class Add>
  void prepare(message& m, int count, T* const* blocks, Start start, Each each, Add add) {
    const int me = world_.rank(), ranks = world_.size(), begin = owners_.first(me),
              end = owners_.first(me + 1);
    owners_.each_addition_of(me, count, [&](int k, int other) {
      each(start(0), start(ranks), [&](std::ptrdiff_t first, std::ptrdiff_t some) {
        add(some, blocks[other] + first, blocks[k] + first);
      });
    });
    m.sent.clear();
    for (int rank = 0; rank < ranks; ++rank) {
      m.begin_sent[at(rank)] = m.sent.size() * sizeof(T);
      if (rank == me) continue;
      for (int k = begin; k < end && k < count; ++k)
        if (owners_.is_sent(count, k))
          each(start(rank), start(rank + 1), [&](std::ptrdiff_t first, std::ptrdiff_t some) {
            m.sent.insert(m.sent.end(), blocks[k] + first, blocks[k] + first + some);
          });
    }
    m.begin_sent.back() = m.sent.size() * sizeof(T);
    std::size_t mine = 0, received = 0;
    each(start(me), start(me + 1), [&](std::ptrdiff_t, std::ptrdiff_t some) { mine += at(some); });
    for (int rank = 0; rank < ranks; ++rank) {
      m.begin_received[at(rank)] = received * sizeof(T);
      for (int k = owners_.first(rank); k < owners_.first(rank + 1) && k < count; ++k)
        if (rank != me && owners_.is_sent(count, k)) {
          m.places[at(k)] = {nullptr, received};
          received += mine;
        } else if (rank == me) {
          m.places[at(k)] = {blocks[k], 0};
        }
    }
    m.begin_received.back() = received * sizeof(T);
    m.received.resize(received);
  }
  template <class Start, class Each, class Add>
  void add_what_came(message& m, int count, T* to, Start start, Each each, Add add) {
    const int me = world_.rank();
    owners_.each_addition_left(count, [&](int k, int other) {
      std::size_t passed = 0;
      each(start(me), start(me + 1), [&](std::ptrdiff_t first, std::ptrdiff_t some) {
        add(some, m.numbers_of(other, first, passed), m.numbers_of(k, first, passed));
        passed += at(some);
      });
    });
    if (count == 0 || m.places[0].block == to) return;
    std::size_t passed = 0;
    each(start(me), start(me + 1), [&](std::ptrdiff_t first, std::ptrdiff_t some) {
      std::copy_n(m.numbers_of(0, first, passed), some, to + first);
      passed += at(some);
    });
  }

  any_communicator world_;
  shard_owners owners_;
  std::vector<message> messages_{};
  std::size_t started_ = 0;
};

}  // namespace tenon::inline v0_1::distribute
