// onnx_equations: the equations of a network as operators of ONNX, by one table.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/io/onnx_nodes.hpp"
#include "tenon/io/onnx_patterns.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::detail {

// Within an equation every value has the axes [batch, steps, inner steps, features], of which those that it does not vary along are 1; a
// value that depends on parameters only has [features]. If all values vary along the same axes, and none is computed along one, they have only
// these axes: [batch, steps, features] or [batch, features].
class onnx_equations : protected onnx_nodes {
 protected:
  using domain = ir::domain;
  using dimension = ir::dimension;
  struct value {
    std::string name{};
    domain where{};
    int size = 0;
  };
  struct axis_of_time {
    std::string steps{}, lengths{}, mask{};  // [1], [batch], [batch, steps]
  };
  // An operation that is being translated: its axes, and whether it is the body of a Scan, where there is one step.
  struct place {
    const ir::operation& o;
    int axis[2]{-1, -1};
    bool in_scan = false;
    int rank = 4;  // of a value
    int axis_of(dimension d) const { return axis[static_cast<int>(d)]; }
  };

  onnx_equations(const onnx_source& source, int opset)
      : onnx_nodes(source, opset), has_parameter_(static_cast<std::size_t>(source.parameters.size)) {}

  std::vector<value> translate(const ir::program_view& p, std::vector<value> inputs, const place& at);
  // Do all values of the equation vary along the same axes, with nothing along one of them?
  static bool has_equal_axes(const ir::program_view& p);
  std::string expanded(const value& v, domain where, int size, const place& at);
  std::string parameter(int p);
  std::string_view bytes_of(int p, int first, int count) const;
  const axis_of_time& time_of(int a) const { return axes_[static_cast<std::size_t>(a)]; }

  std::string batch_{}, body_position_{};  // [1]; the number of the step, in a Scan
  std::vector<axis_of_time> axes_{};

 private:
  std::string symbol_rows(const ir::operation& o, const ir::program_view& p, int first, int count);
  std::string matrix_transposed(const ir::operation& o, const ir::program_view& p, int first, int count);
  std::string over_axis(const ir::instruction& i, const std::vector<value>& v, const place& at);
  std::string in_groups(const value& x, int groups, dimension without,
                        const std::vector<std::int64_t>& order);
  std::string pair_dot(const ir::instruction& i, const std::vector<value>& v);
  std::string pair_sum(const ir::instruction& i, const std::vector<value>& v, const place& at);
  std::string shifted(const ir::instruction& i, const std::string& x, const place& at);
  std::string as_features(const ir::instruction& i, const value& a, const place& at);
  std::string mask(dimension d, const place& at);
  std::string cleared(const value& v, dimension d, const place& at, double past_end = 0);
  value own_number(const ir::own_number& own, int size, const place& at);

  std::map<std::string, std::string> matrices_{};
  std::vector<bool> has_parameter_;
};

}  // namespace tenon::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_equations.ipp"
#endif
