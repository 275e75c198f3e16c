// regions: parts of one block of memory, each with the time points at which its content is needed, and their places.
#pragma once

#include "tenon/graph/builder.hpp"

#include <cstddef>

namespace tenon::inline v0_1::engine {

// What a region holds: in the memory of an operation, forward and backward, or the value or the adjoint of an edge.
enum class region_kind {
  forward_buffer,
  saved,          // an output of the forward program that the backward program reads
  state,          // scan: the sequence of a state; streaming: its two places
  history,        // windows of a stream: the steps that they reach back to
  number,         // of a program: tokens as numbers, or numbers that an equation adds itself
  loss_gradient,  // cross_entropy: softmax - onehot, unless that is the adjoint of the logits
  backward_buffer,
  next_adjoint,     // scan: the adjoint of a next state
  state_adjoint,    // scan: the adjoint of a state
  carried_adjoint,  // scan: the adjoint of a final state
  scratch,
  product_adjoint,  // training on rows of a table: the adjoint of the table's product
  table_adjoint,    // and of the table
  contribution,     // to the adjoint of an input to which several operations contribute
  value,
  adjoint
};
inline constexpr int region_kinds_of_operations = static_cast<int>(region_kind::value);

struct region {
  long size = 0;  // elements
  int first = 0;  // the first and the last time point at which its content is needed
  int last = 0;
  region_kind kind{};
  int number = 0;  // among those of its kind and its operation; of an edge: the edge
  long offset = 0;
};

// Rounds n elements up to whole cache lines, so that the next region begins on a cache line.
constexpr long in_whole_lines(long n) {
  return (n + builder::alignment - 1) / builder::alignment * builder::alignment;
}
constexpr std::ptrdiff_t elements_of_lines(int lines) { return std::ptrdiff_t(lines) * builder::alignment; }

namespace detail {

// Regions in the order of their first time points (a counting sort).
template <int LastTimePoint, int Capacity>
constexpr list<int, Capacity> by_first_time_point(const list<region, Capacity>& regions) {
  int next[LastTimePoint + 2]{};
  for (const region& r : regions) ++next[r.first + 1];
  for (int time_point = 1; time_point <= LastTimePoint; ++time_point)
    next[time_point] += next[time_point - 1];
  list<int, Capacity> order;
  order.size = regions.size;
  for (int r = 0; r < regions.size; ++r) order[next[regions[r].first]++] = r;
  return order;
}

}  // namespace detail

// Puts each region at the lowest place that is free from its first time point to its last. Scratch that is needed at
// one time point only is placed anew at every time point, after all regions that are needed longer. Returns the size of
// the block.
template <int LastTimePoint, int Capacity>
constexpr long place_regions(list<region, Capacity>& regions) {
  struct taken {
    long begin = 0, end = 0;
    int last = 0;
  };
  const auto order = detail::by_first_time_point<LastTimePoint>(regions);
  list<taken, Capacity> living;  // by offset
  long end = 0;
  for (int r : order) {
    region& mine = regions[r];
    if (mine.first == mine.last || mine.size == 0) continue;
    const long size = in_whole_lines(mine.size);
    int kept = 0, position = -1;
    long at = 0;
    for (int k = 0; k < living.size; ++k) {
      const taken& other = living[k];
      if (other.last < mine.first) continue;
      if (position < 0 && other.begin - at >= size) {
        position = kept;
        mine.offset = at;
      }
      at = other.end;
      if (kept != k) living[kept] = other;
      ++kept;
    }
    living.size = kept;
    if (position < 0) {
      position = kept;
      mine.offset = at;
    }
    living.add({});
    for (int k = kept; k > position; --k) living[k] = living[k - 1];
    living[position] = {mine.offset, mine.offset + size, mine.last};
    end = mine.offset + size > end ? mine.offset + size : end;
  }
  long size = end, at = end;
  int time_point = -1;
  for (int r : order) {
    region& mine = regions[r];
    if (mine.first != mine.last) continue;
    if (mine.first != time_point) {
      time_point = mine.first;
      at = end;
    }
    mine.offset = at;
    at += in_whole_lines(mine.size);
    size = at > size ? at : size;
  }
  return size;
}

}  // namespace tenon::inline v0_1::engine
