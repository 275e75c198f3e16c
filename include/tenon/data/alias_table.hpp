// alias_table: numbers 0 .. n-1 drawn with probabilities in proportion to weights, each in constant time.
#pragma once

#include "tenon/backend/random.hpp"
#include "tenon/diagnostics/input_error.hpp"

#include <cstdint>
#include <vector>

namespace tenon::inline v0_1 {

// Walker 1977, with the tables of Vose 1991: a column for each number, as high as the mean weight, shared by at most one other number.
class alias_table {
 public:
  // Throws input_error if there are no weights, if one is negative or not finite, and if none is above 0.
  explicit alias_table(const std::vector<double>& weights);

  int size() const { return static_cast<int>(columns_.size()); }
  // From one word of the stream: its product with n is the column, and how high up in it. Probabilities are exact to n / 2^32.
  int draw(backend::random_stream& random) const {
    const std::uint64_t product = std::uint64_t{random.word()} * columns_.size();
    const int number = static_cast<int>(product >> 32);
    const column& of = columns_[static_cast<std::size_t>(number)];
    return static_cast<std::uint32_t>(product) < of.own_share ? number : of.other;
  }

 private:
  struct column {
    std::uint32_t own_share;  // of 2^32: below it the number itself is drawn
    int other;
  };
  std::vector<column> columns_;
};

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/alias_table.ipp"
#endif
