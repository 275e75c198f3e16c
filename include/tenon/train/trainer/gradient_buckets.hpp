// gradient_buckets: ranges of the block of gradients, the last first, and the operation after whose backward run each is finished. They are constants of
// a network. Parameters lie in the order of their nodes, and gradients are finished from the last node to the first; so what is finished is the end
// of the block, and it is exchanged while the rest is computed.
#pragma once

#include "tenon/distribute/sum_tree.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::inline v0_1::engine {

// Operations: of the network. Size: numbers that are learned.
template <int Operations, int Size>
class gradient_buckets {
 public:
  static constexpr int most = 8;
  // Fewer numbers are not worth a message of their own.
  static constexpr int least = std::max(1 << 15, Size / most);

  // is_late(o): are gradients of operation o computed behind the backward run of all?
  template <class Net, class IsLate>
  static consteval gradient_buckets of(const Net& net, IsLate is_late) {
    gradient_buckets made;
    int from[Operations + 1]{};  // what is finished after an operation, from this number on
    for (int o = 0; o < Operations; ++o)
      if (is_late(o)) from[0] = std::max(from[0], end_of(net, o));
    for (int o = 0; o < Operations; ++o) from[o + 1] = std::max(from[o], end_of(net, o));
    constexpr int row = distribute::block_slices::row;  // kernels add whole rows
    for (int& first : from) first = std::min((first + row - 1) / row * row, Size);
    int end = Size;  // from[o]: of the operations before o, which run after it
    for (int o = Operations - 1; o >= 0; --o)
      if (end - from[o] >= least || o == 0) {
        if (o == 0 && is_any_late(is_late)) break;
        if (end > from[o] || o == 0) made.add({o == 0 ? 0 : from[o], end}, o);
        end = from[o];
      }
    if (made.count_ == 0 || made.ranges_[made.count_ - 1].first > 0)
      made.add({0, made.count_ == 0 ? Size : int(made.ranges_[made.count_ - 1].first)}, -1);
    return made;
  }
  constexpr int count() const { return count_; }
  constexpr distribute::range range(int k) const { return ranges_[k]; }
  // How many are finished after the backward run of operation o.
  constexpr int finished_after(int o) const {
    int finished = 0;
    for (int k = 0; k < count_; ++k) finished += after_[k] >= o;
    return finished;
  }

 private:
  int count_ = 0;
  distribute::range ranges_[most + 1]{};
  int after_[most + 1]{};  // the operation; -1: behind all

  constexpr void add(distribute::range r, int after) {
    ranges_[count_] = r;
    after_[count_++] = after;
  }
  template <class IsLate>
  static constexpr bool is_any_late(IsLate is_late) {
    for (int o = 0; o < Operations; ++o)
      if (is_late(o)) return true;
    return false;
  }
  // Behind the last number that an operation adds to.
  template <class Net>
  static constexpr int end_of(const Net& net, int o) {
    int end = 0;
    for (int p : net.operations[o].parameters) {
      while (net.parameters[p].tied_to >= 0) p = net.parameters[p].tied_to;
      if (!net.parameters[p].frozen)
        end = std::max(end, net.parameters[p].offset + net.parameters[p].elements());
    }
    return end;
  }
};

}  // namespace tenon::inline v0_1::engine
