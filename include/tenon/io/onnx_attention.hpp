// onnx_attention: the values of equations as tensors of ONNX, and operators along a second axis of steps: products of heads, their softmax, and
// what they weigh. With the axis of heads in front of both axes of steps these are the products of matrices that engines know.
#pragma once

#include "tenon/io/onnx_nodes.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::inline v0_1::detail {

// Within an equation every value has the axes [batch, steps, inner steps, features], of which those that it does not vary along are 1; a
// value that depends on parameters only has [features]. If all values vary along the same axes, and none is computed along one, they have only
// these axes: [batch, steps, features] or [batch, features].
class onnx_attention : protected onnx_nodes {
 protected:
  using onnx_nodes::onnx_nodes;

  using domain = ir::domain;
  using dimension = ir::dimension;
  struct value {
    std::string name{};
    domain where{};
    int size = 0;
    std::string
        heads{};  // the same as [batch, groups, steps, inner steps]: products of heads, and what is made of them
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

  static constexpr double lowest = -3.4028234663852886e38;  // of a float

  const axis_of_time& time_of(int a) const { return axes_[static_cast<std::size_t>(a)]; }
  // Which steps a row has, as an equation sees it; empty: all.
  std::string mask(dimension d, const place& at);
  std::string cleared(const value& v, dimension d, const place& at, double past_end = 0);

  value pair_dot(const ir::instruction& i, const value& a, const value& b, domain where);
  value softmax_along(dimension d, const value& a, const place& at);
  value chosen(const value& condition, const value& yes, const value& no, domain where, int size);
  value pair_sum(const ir::instruction& i, const value& a, const value& b, const place& at, domain where);

  std::vector<axis_of_time> axes_{};

 private:
  std::string in_groups(const value& x, int groups, dimension without,
                        const std::vector<std::int64_t>& order);
  value of_heads(const std::string& heads, domain where, int groups);
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_attention.ipp"
#endif
