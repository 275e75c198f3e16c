// onnx_export: a network as an ONNX file: its inputs and outputs, axes, tables, windows and recurrences around the equations.
#pragma once

#include "tenon/io/onnx_equations.hpp"

#include <map>
#include <string>

namespace tenon::detail {

// Values of the graph have the axes that a user sees, but the places of a grid are one axis.
class onnx_export : onnx_equations {
 public:
  onnx_export(const onnx_source& source, int opset) : onnx_equations(source, opset) {}
  // The bytes of the file.
  std::string file();

 private:
  void add_inputs();
  void add_axes();
  void add_operation(const ir::operation& o);
  void add_outputs();
  void add_rows_of_table(const ir::operation& o);
  void add_windows(const ir::operation& o);
  void add_equation(const ir::operation& o, const place& at);
  void add_scan(const ir::operation& o, const place& at);
  std::string goes_on_in(const axis_of_time& time);
  bool is_written(int e) const;
  std::string edge_value(int e);
  value of_edge(int e, domain where);
  std::string to_edge(const value& v, const ir::edge& e, const place& at);
  onnx_shape shape_of(const ir::edge& e) const;
  std::string name_of_axis(int a) const;

  std::map<int, std::string> values_{};  // by edge
};

}  // namespace tenon::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_export.ipp"
#endif
