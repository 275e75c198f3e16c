// The order in which shards are summed: one fixed binary tree. The sum of several shards in a row is that of the first ones, as many as the
// largest power of two that is less than all, plus that of the others. So a sum has the same bits whoever computes which part of the tree, and
// shards without rows, which are the last ones, change nothing.
#pragma once

#include <cstddef>

namespace tenon::inline v0_1::distribute {

// Calls add(k, other) for k += other, in an order after which place 0 has the sum of the places 0 .. count - 1.
template <class Add>
constexpr void each_addition(int count, Add add) {
  for (int apart = 1; apart < count; apart *= 2)
    for (int k = 0; k + apart < count; k += 2 * apart) add(k, k + apart);
}

// The same sum of numbers, which are given one after the other.
class tree_sum {
 public:
  constexpr void add(double x) {
    for (int k = count_++; k % 2 == 1; k /= 2) x = whole_[--size_] + x;
    whole_[size_++] = x;
  }
  constexpr double value() const {
    if (size_ == 0) return 0;
    double sum = whole_[size_ - 1];
    for (int k = size_ - 2; k >= 0; --k) sum = whole_[k] + sum;
    return sum;
  }

 private:
  double whole_[32]{};  // the sums of 2^k numbers that still wait for as many, the longest first
  int size_ = 0, count_ = 0;
};

// Some numbers of a block.
struct range {
  std::ptrdiff_t first = 0, end = 0;
};

// A block of numbers in `count` slices, each of whole rows of numbers and as long as the others, but for a row.
struct block_slices {
  static constexpr int row = 16;
  std::ptrdiff_t size = 0;  // a multiple of row, if count is more than 1
  int count = 1;

  constexpr std::ptrdiff_t begin(int slice) const {
    return slice == count ? size : size / row * slice / count * row;
  }
};

}  // namespace tenon::inline v0_1::distribute
