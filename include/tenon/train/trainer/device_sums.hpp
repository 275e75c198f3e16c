// device_sums: sums of blocks over the shards of all ranks, along the tree, in the memory of devices; all ranks get the whole sum. See slice_sums.hpp,
// which does so in the program's memory and gives each rank its own slices.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/distribute/shard_group.hpp"
#include "tenon/distribute/sum_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace tenon::inline v0_1::engine {

// Moves pieces of blocks between ranks; queued like a kernel.
struct exchange_call {
  const distribute::any_communicator* world;
  distribute::pieces sent, received;
  void operator()(void* stream) const { world->exchange_there(sent, received, stream); }
};
struct gather_call {
  const distribute::any_communicator* world;
  distribute::pieces all;
  void operator()(void* stream) const { world->gather_there(all, stream); }
};

template <class T, class Device>
class device_sums {
 public:
  device_sums(const distribute::shard_group& mine, distribute::block_slices slices)
      : mine_(mine), slices_(slices), plans_(at(slices.count) + 1) {
    std::size_t most = 0;
    for (int count = 1; count <= slices.count; ++count) most = std::max(most, received(count));
    came_ = decltype(came_)(most * length_of(me()), {"gradients of other ranks", {}});
    begin_.resize(at(ranks()) + 1);
    for (int rank = 0; rank <= ranks(); ++rank) begin_[at(rank)] = bytes_before(rank);
  }

  // Queues the sum over the first `count` shards. blocks[k]: of shard k, for the shards of this rank, also those without rows; they change, and
  // that of the first one becomes the sum.
  void sum(int count, T* const* blocks) {
    const distribute::shard_owners& owners = mine_.owners();
    owners.each_addition_of(me(), count, [&](int k, int other) {
      add_elements(Device{}, slices_.size, blocks[other], blocks[k]);
    });
    if (ranks() == 1) return;
    const plan& now = plan_of(count);
    for (const round& r : now.rounds)
      queue_call(Device{}, exchange_call{&mine_.world(),
                                         {bytes(r.sent < 0 ? nullptr : blocks[r.sent]), r.begin_sent.data()},
                                         {bytes(came_.data()), r.begin_received.data()}});
    const auto place = [&](int k) {
      return mine_.has(k) ? blocks[k] + slices_.begin(mine_.first()) : came_.data() + now.came[at(k)];
    };
    const auto length = static_cast<std::ptrdiff_t>(length_of(me()));
    owners.each_addition_left(
        count, [&](int k, int other) { add_elements(Device{}, length, place(other), place(k)); });
    T* const to = blocks[mine_.first()];
    if (!mine_.has(0)) copy_elements(Device{}, length, place(0), to + slices_.begin(mine_.first()));
    queue_call(Device{}, gather_call{&mine_.world(), {bytes(to), begin_.data()}});
  }

 private:
  // One sum of each rank that has so many goes to the owners of its slices.
  struct round {
    int sent = -1;  // the shard of this rank; -1: it has no more
    std::vector<std::size_t> begin_sent{}, begin_received{};
  };
  // They stay where they are: captured work reads them.
  struct plan {
    std::vector<round> rounds{};
    std::vector<std::size_t>
        came{};  // by shard of another rank: where its sum is among the numbers that came
  };
  static std::size_t at(std::ptrdiff_t k) { return static_cast<std::size_t>(k); }
  static std::byte* bytes(T* block) { return reinterpret_cast<std::byte*>(block); }
  int me() const { return mine_.world().rank(); }
  int ranks() const { return mine_.ranks(); }
  std::size_t bytes_before(int rank) const { return at(slices_.begin(mine_.first_of(rank))) * sizeof(T); }
  std::size_t length_of(int rank) const { return (bytes_before(rank + 1) - bytes_before(rank)) / sizeof(T); }
  // The shards whose sums a rank sends.
  std::vector<int> sums_of(int rank, int count) const {
    std::vector<int> all;
    for (int k = mine_.first_of(rank); k < mine_.first_of(rank + 1) && k < count; ++k)
      if (mine_.owners().is_sent(count, k)) all.push_back(k);
    return all;
  }
  // How many sums come from other ranks.
  std::size_t received(int count) const {
    std::size_t all = 0;
    for (int rank = 0; rank < ranks(); ++rank) all += rank == me() ? 0 : sums_of(rank, count).size();
    return all;
  }
  const plan& plan_of(int count) {
    std::unique_ptr<plan>& one = plans_[at(count)];
    if (one) return *one;
    one = std::make_unique<plan>();
    one->came.resize(at(slices_.count));
    std::vector<std::vector<int>> sums;
    std::size_t rounds = 0, came = 0;
    for (int rank = 0; rank < ranks(); ++rank) {
      sums.push_back(sums_of(rank, count));
      rounds = std::max(rounds, sums.back().size());
    }
    for (std::size_t r = 0; r < rounds; ++r) {
      round& next = one->rounds.emplace_back();
      const bool sends = r < sums[at(me())].size();
      if (sends) next.sent = sums[at(me())][r];
      for (int rank = 0; rank <= ranks(); ++rank) {
        next.begin_sent.push_back(sends ? bytes_before(rank) : 0);
        next.begin_received.push_back(came * sizeof(T));
        if (rank == ranks() || rank == me() || r >= sums[at(rank)].size()) continue;
        one->came[at(sums[at(rank)][r])] = came;
        came += length_of(me());
      }
    }
    return *one;
  }

  const distribute::shard_group& mine_;
  distribute::block_slices slices_;
  std::vector<std::unique_ptr<plan>> plans_;  // by the number of shards
  std::vector<std::size_t> begin_{};          // by rank: its slices
  backend::own_memory<T, Device> came_{};
};

}  // namespace tenon::inline v0_1::engine
