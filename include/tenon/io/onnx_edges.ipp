// The bodies of onnx_edges.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <map>
#include <utility>

namespace tenon::inline v0_1::detail {

TENON_INLINE std::string onnx_edges::name_of_axis(int a) const {
  const std::string label = onnx::text_of(net_.axes[a].name.view());
  return (label.empty() ? "steps_" + std::to_string(a) : label + "_steps");
}

TENON_INLINE onnx_shape onnx_edges::shape_of(const ir::edge& e) const {
  onnx_shape shape;
  if (e.layers > 1) shape.push_back({e.layers, ""});
  shape.push_back({0, "batch"});
  if (e.is_grid()) {
    shape.push_back({e.grid.height, ""});
    shape.push_back({e.grid.width, ""});
  } else if (e.axis >= 0) {
    shape.push_back({0, name_of_axis(e.axis)});
  }
  if (!e.is_token()) shape.push_back({e.size, ""});
  return shape;
}

TENON_INLINE bool onnx_edges::is_written(int e) const {
  bool written = values_.contains(e);
  for (int k = 0; k < net_.edges.size && !written; ++k) written = net_.edges[k].whole == e && is_written(k);
  return written;
}

TENON_INLINE std::string onnx_edges::edge_value(int e) {
  if (const auto found = values_.find(e); found != values_.end()) return found->second;
  const ir::edge& edge = net_.edges[e];
  if (!is_written(e)) {  // a part of what is written as a whole, or in other parts
    const std::string whole = edge_value(edge.whole);
    return net_.edges[edge.whole].layers > 1 ? squeezed(sliced(whole, 0, edge.layer, edge.layer + 1), {0})
                                             : sliced(whole, -1, edge.column, edge.column + edge.size);
  }
  std::map<std::pair<int, int>, int> parts;  // by layer and column
  for (int k = 0; k < net_.edges.size; ++k)
    if (net_.edges[k].whole == e && is_written(k)) parts[{net_.edges[k].layer, net_.edges[k].column}] = k;
  std::vector<std::string> values;
  for (const auto& [where, part] : parts)
    values.push_back(edge.layers > 1 ? unsqueezed(edge_value(part), {0}) : edge_value(part));
  return values_[e] = joined(values, edge.layers > 1 ? 0 : -1);
}

TENON_INLINE onnx_edges::value onnx_edges::of_edge(int e, domain where) {
  const ir::edge& edge = net_.edges[e];
  std::string x = edge_value(e);
  if (edge.is_token()) x = unsqueezed(as_numbers(x), {-1});
  const std::vector<std::int64_t> missing = edge.axis < 0            ? std::vector<std::int64_t>{1, 2}
                                            : where == domain::inner ? std::vector<std::int64_t>{1}
                                                                     : std::vector<std::int64_t>{2};
  return {unsqueezed(x, missing), where, edge.is_token() ? 1 : edge.size};
}

// Without the axes that the edge does not have.
TENON_INLINE std::string onnx_edges::to_edge(const value& v, const ir::edge& e, const place& at) {
  const domain full = e.axis < 0 ? domain::batch : v.where == domain::inner ? domain::inner : domain::rows;
  const bool has_all_axes = v.where == full || (e.axis < 0 && v.where == domain::rows);
  const std::string x = has_all_axes && v.size == e.size ? v.name : expanded(v, full, e.size, at);
  return squeezed(x, full == domain::batch   ? std::vector<std::int64_t>{1, 2}
                     : full == domain::inner ? std::vector<std::int64_t>{1}
                                             : std::vector<std::int64_t>{2});
}

TENON_INLINE int onnx_edges::readers_of(int e) const {
  const auto is_part_of = [&](int part, int of) {
    for (; part >= 0; part = net_.edges[part].whole)
      if (part == of) return true;
    return false;
  };
  const auto touches = [&](int other) {
    return other >= 0 && (is_part_of(other, e) || is_part_of(e, other));
  };
  int count = 0;
  for (const ir::operation& o : net_.operations) {
    bool reads = false;
    for (const int source : o.in) reads = reads || touches(source);
    count += reads;
  }
  for (const int output : net_.outputs) count += touches(output);
  return count;
}

TENON_INLINE std::string onnx_edges::with_past_end(const std::string& x, int axis, double number) {
  const std::string& there = time_of(axis).mask;
  return there.empty() ? x : node("Where", {unsqueezed(there, {2}), x, real(number)});
}

}  // namespace tenon::inline v0_1::detail
