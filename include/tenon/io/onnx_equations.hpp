// onnx_equations: the equations of a network as operators of ONNX, by one table.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/io/onnx_attention.hpp"
#include "tenon/io/onnx_patterns.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1::detail {

class onnx_equations : protected onnx_attention {
 protected:
  onnx_equations(const onnx_source& source, int opset)
      : onnx_attention(source, opset), has_parameter_(static_cast<std::size_t>(source.parameters.size)) {}

  std::vector<value> translate(const ir::program_view& p, std::vector<value> inputs, const place& at);
  // Do all values of the equation vary along the same axes, with nothing along one of them?
  static bool has_equal_axes(const ir::program_view& p);
  static int symbol_of_slice(const ir::program_view& p, const ir::instruction& i);
  std::string expanded(const value& v, domain where, int size, const place& at);
  std::string parameter(int p);
  std::string_view bytes_of(int p, int first, int count) const;

  std::string batch_{}, body_position_{};  // [1]; the number of the step, in a Scan

 private:
  std::string symbol_rows(const ir::operation& o, const ir::program_view& p, int first, int count);
  std::string matrix_transposed(const ir::operation& o, const ir::program_view& p, int first, int count);
  std::string over_axis(const ir::instruction& i, const std::vector<value>& v, const place& at);
  std::string shifted(const ir::instruction& i, const std::string& x, const place& at);
  std::string as_features(const ir::instruction& i, const value& a, const place& at);
  value own_number(const ir::own_number& own, int size, const place& at);

  std::map<std::string, std::string> matrices_{};
  std::vector<bool> has_parameter_;
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_equations.ipp"
#endif
