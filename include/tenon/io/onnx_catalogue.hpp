// onnx_catalogue: operators of ONNX that are layers of the catalogue by themselves.
#pragma once

#include "tenon/io/onnx_moves.hpp"

#include <string>

namespace tenon::detail::onnx {

onnx_array transposed_matrix(const onnx_array& m);

class catalogue : protected value_moves {
 protected:
  using value_moves::value_moves;

  void add_linear(const onnx_read_node& n, const edge_view& x, const onnx_array& weight,
                  const onnx_array* bias, const std::string& hint);
  // The bias of a product that has none yet; true if it is one.
  bool add_bias(const onnx_read_node& n);
  int layered_state(const edge_view& v);
  void add_recurrence(const onnx_read_node& n);
  void add_windows(const onnx_read_node& n);
  void add_norm(const onnx_read_node& n);
  void add_softmax(const onnx_read_node& n);
  void add_reduction(const onnx_read_node& n);
};

}  // namespace tenon::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_catalogue.ipp"
#endif
