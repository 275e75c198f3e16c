// shard_group: the shards and slices of one rank among all ranks.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/distribute/any_communicator.hpp"
#include "tenon/distribute/shard_owners.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tenon::inline v0_1::distribute {

class shard_group {
 public:
  // Throws input_error if there are more ranks than shards.
  shard_group(const any_communicator& world, int shards)
      : world_(world), owners_{shards, world.size()}, begin_(static_cast<std::size_t>(world.size()) + 1) {
    if (world.size() > shards)
      throw input_error("trainer: " + std::to_string(world.size()) + " ranks, and shards<" +
                        std::to_string(shards) + "> cuts a batch into " + std::to_string(shards) +
                        "; start at most " + std::to_string(shards) + " ranks, or write shards<" +
                        std::to_string(world.size()) + ">, which gives other bits");
  }
  const any_communicator& world() const { return world_; }
  int ranks() const { return owners_.ranks; }
  // This rank has the shards from first() to before end(), and the slices of these numbers.
  int first() const { return owners_.first(world_.rank()); }
  int end() const { return owners_.first(world_.rank() + 1); }
  int size() const { return end() - first(); }
  bool has(int shard) const { return first() <= shard && shard < end(); }
  // How many of the first `used` shards are of this rank.
  int used(int used) const { return used <= first() ? 0 : used < end() ? used - first() : size(); }
  int first_of(int rank) const { return owners_.first(rank); }
  const shard_owners& owners() const { return owners_; }

  // Each rank has its own slices of a block, and gets all others. Slice k starts at start(k).
  template <class T, class Start>
  void gather(T* block, Start start) {
    if (ranks() == 1) return;
    for (int rank = 0; rank <= ranks(); ++rank)
      begin_[static_cast<std::size_t>(rank)] = static_cast<std::size_t>(start(first_of(rank))) * sizeof(T);
    world_.gather({reinterpret_cast<std::byte*>(block), begin_.data()});
  }

 private:
  any_communicator world_;
  shard_owners owners_;
  std::vector<std::size_t> begin_;
};

}  // namespace tenon::inline v0_1::distribute
