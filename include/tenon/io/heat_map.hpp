// io::heat_map_svg: numbers between words as colours, such as the weights of attention, in a drawing (SVG).
//   io::heat_map_svg({{.title = "Attention", .rows = english, .columns = german, .values = weights}})
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/tensor/expression.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// A copy of a tensor [rows, columns] or [heads, rows, columns], or of a vector of rows.
class heat_map_values {
 public:
  std::size_t heads = 1, rows = 0, columns = 0;
  bool has_heads = false;

  heat_map_values() = default;
  template <concepts::TensorExpression E>
  heat_map_values(const E& tensor) : numbers_(tensor.begin(), tensor.end()) {
    const std::size_t rank = tensor.dimension();
    if (rank != 2 && rank != 3)
      throw_input_error(
          {"heat_map: expected values [rows, columns] or [heads, rows, columns], got rank ", rank});
    const auto extent = [&](std::size_t k) { return static_cast<std::size_t>(tensor.shape()[k]); };
    has_heads = rank == 3;
    heads = has_heads ? extent(0) : 1;
    rows = extent(rank - 2);
    columns = extent(rank - 1);
  }
  template <class T>
  heat_map_values(const std::vector<std::vector<T>>& all)
      : rows(all.size()), columns(all.empty() ? 0 : all[0].size()) {
    for (const std::vector<T>& row : all) columns = std::min(columns, row.size());
    for (const std::vector<T>& row : all)
      for (std::size_t c = 0; c < columns; ++c) numbers_.push_back(static_cast<double>(row[c]));
  }
  double operator()(std::size_t head, std::size_t row, std::size_t column) const {
    return numbers_[(head * rows + row) * columns + column];
  }

 private:
  std::vector<double> numbers_{};
};

}  // namespace detail

namespace io {

struct heat_map {
  std::string title{};
  std::vector<std::string> rows{}, columns{};  // the words at the left, and those above
  // [rows, columns], or [heads, rows, columns], which are a map for each head: a view, an array of xtensor, or a vector of
  // rows. What is beyond the words is padding and not drawn.
  detail::heat_map_values values{};
};

// The maps beside and below each other. Their colours have one scale, to the largest number of all: blue above 0, red
// below. What is not finite has no colour. Throws input_error if a map has fewer numbers than words.
std::string heat_map_svg(const std::vector<heat_map>& maps);

}  // namespace io

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/heat_map.ipp"
#endif
