// onnx_rows: rows in the order of their lengths, which steps a row has, and what stands past its end.
#pragma once

#include "tenon/io/onnx_sizes.hpp"

namespace tenon::inline v0_1::detail::onnx {

class value_rows : protected value_sizes {
 protected:
  using value_sizes::value_sizes;

  // TopK, ScatterElements, Less, Greater and Where. False: another operator, or one that only computes.
  bool arrange_rows(const onnx_read_node& n);
  // Sizes and constants only?
  bool has_known_inputs(const onnx_read_node& n) const;

 private:
  void order_rows(const onnx_read_node& n);
  bool compare_with_lengths(const onnx_read_node& n);
  void choose_past_end(const onnx_read_node& n);
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_rows.ipp"
#endif
