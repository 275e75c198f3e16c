// gather_all: what every rank has, on every rank.
#pragma once

#include "tenon/distribute/any_communicator.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1::distribute {

// The numbers of rank 0, then those of rank 1, and so on. Ranks may have different counts.
template <class T>
std::vector<T> gather_all(const any_communicator& world, const std::vector<T>& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto ranks = static_cast<std::size_t>(world.size()), me = static_cast<std::size_t>(world.rank());
  if (ranks == 1) return mine;
  std::vector<std::size_t> bytes(ranks), begin(ranks + 1);
  for (std::size_t r = 0; r <= ranks; ++r) begin[r] = r * sizeof(std::size_t);
  bytes[me] = mine.size() * sizeof(T);
  world.gather({reinterpret_cast<std::byte*>(bytes.data()), begin.data()});
  for (std::size_t r = 0; r < ranks; ++r) begin[r + 1] = begin[r] + bytes[r];
  std::vector<T> all(begin[ranks] / sizeof(T));
  for (std::size_t k = 0; k < mine.size(); ++k) all[begin[me] / sizeof(T) + k] = mine[k];
  world.gather({reinterpret_cast<std::byte*>(all.data()), begin.data()});
  return all;
}

}  // namespace tenon::inline v0_1::distribute
