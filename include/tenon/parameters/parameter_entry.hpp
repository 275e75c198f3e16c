// parameter_entry: a graph's parameters as a list at run time, so that one plain function reads or writes them by name
// for all graphs; and a block's parameters as named tensors.
#pragma once

#include "tenon/parameters/parameters.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::detail {

struct parameter_entry {
  std::string_view path;
  int rows, columns, offset, tied_to, kernel_height, kernel_width;

  // The shape in PyTorch's order.
  std::vector<std::size_t> shape() const;
  std::size_t kernel_area() const;
  std::size_t size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(std::max(columns, 1));
  }
};

template <class G, int P>
consteval parameter_entry entry_of() {
  constexpr ir::parameter p = network_of<G>.parameters[P];
  return {ir::literal<ir::exact_text<p.path.size>(p.path)>,
          p.rows,
          p.columns,
          p.offset,
          p.tied_to,
          p.kernel_height,
          p.kernel_width};
}
template <class G>
std::vector<parameter_entry> entries_of() {
  return []<int... P>(std::integer_sequence<int, P...>) {
    return std::vector<parameter_entry>{entry_of<G, P>()...};
  }
  (std::make_integer_sequence<int, network_of<G>.parameters.size>{});
}

// Converts one row of a convolution's weight from a block's order, [rows, height, width, features], to PyTorch's,
// [rows, features, height, width], or back.
template <class T>
void transpose_kernel(const T* from, std::size_t outer, std::size_t inner, T* to) {
  for (std::size_t i = 0; i < outer; ++i)
    for (std::size_t j = 0; j < inner; ++j) to[j * outer + i] = from[i * inner + j];
}

// The parameters of a block under their names and in PyTorch's shapes, tied ones under each of their names. They point
// into the block, or into `kernels`.
template <class T>
std::vector<io::named_tensor> tensors_of(const std::vector<parameter_entry>& entries, const T* block,
                                         std::vector<std::vector<T>>& kernels) {
  std::vector<io::named_tensor> tensors;
  for (const parameter_entry& p : entries) {
    const T* data = block + p.offset;
    if (const std::size_t area = p.kernel_area(); area > 1) {
      const auto columns = static_cast<std::size_t>(p.columns);
      std::vector<T>& kernel = kernels.emplace_back(p.size());
      for (std::size_t at = 0; at < p.size(); at += columns)
        transpose_kernel(data + at, area, columns / area, kernel.data() + at);
      data = kernel.data();
    }
    tensors.push_back({std::string(p.path), io::dtype_of<T>, p.shape(), data});
  }
  return tensors;
}

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/parameters/parameter_entry.ipp"
#endif
