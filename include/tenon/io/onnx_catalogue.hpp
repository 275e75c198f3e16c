// onnx_catalogue: operators of ONNX that are layers of the catalogue by themselves.
#pragma once

#include "tenon/io/onnx_recurrences.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::inline v0_1::detail::onnx {

onnx_array transposed_matrix(const onnx_array& m);

class catalogue : protected recurrences {
 protected:
  using recurrences::recurrences;

  void add_linear(const onnx_read_node& n, const edge_view& x, const onnx_array& weight,
                  const onnx_array* bias, const std::string& hint);
  // The bias of a product that has none yet; true if it is one.
  bool add_bias(const onnx_read_node& n);
  void add_windows(const onnx_read_node& n);
  void add_norm(const onnx_read_node& n);
  // If a node's result is a normalisation by its values, it becomes one.
  void join_norm(const onnx_read_node& n);
  void add_softmax(const onnx_read_node& n);
  void add_reduction(const onnx_read_node& n);

 private:
  bool is_read_once(const std::string& name) const;
  struct window_numbers {
    std::vector<std::int64_t> kernel, strides, dilations, pads;
  };
  window_numbers windows_of(const onnx_read_node& n, std::size_t rank, std::size_t flat) const;
  void add_norm(const onnx_read_node& n, const edge_view& x, onnx_array weight, onnx_array bias,
                double epsilon, const std::string& hint);
  bool reduce_columns(const onnx_read_node& n, const std::vector<std::int64_t>& axes);
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_catalogue.ipp"
#endif
