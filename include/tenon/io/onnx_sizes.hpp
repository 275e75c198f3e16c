// onnx_sizes: what nodes compute of shapes and of constants, as exporters write it for each axis that has no fixed length.
#pragma once

#include "tenon/io/onnx_values.hpp"

namespace tenon::inline v0_1::detail::onnx {

class value_sizes : protected value_table {
 protected:
  using value_table::value_table;

  void compute_sizes(const onnx_read_node& n);
  // Transposed, reshaped ..
  value_read moved_constant(const onnx_read_node& n, value_read v) const;
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_sizes.ipp"
#endif
