// onnx_edges: the values between the operations of a network, as they are in an ONNX file.
#pragma once

#include "tenon/io/onnx_equations.hpp"

#include <map>
#include <string>
#include <vector>

namespace tenon::inline v0_1::detail {

// Values of the graph have the axes that a user sees, but the places of a grid are one axis.
class onnx_edges : protected onnx_equations {
 protected:
  using onnx_equations::onnx_equations;

  std::string name_of_axis(int a) const;
  onnx_shape shape_of(const ir::edge& e) const;
  // Has an operation written the edge, or a part of it?
  bool is_written(int e) const;
  // The operations that read the edge, a part of it or its whole; outputs of the graph count as one more.
  int readers_of(int e) const;
  std::string edge_value(int e);
  // As an equation sees the edge, and back.
  value of_edge(int e, domain where);
  std::string to_edge(const value& v, const ir::edge& e, const place& at);
  // With what is past the end of a row replaced.
  std::string with_past_end(const std::string& x, int axis, double number);

  std::map<int, std::string> values_{};  // by edge
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_edges.ipp"
#endif
