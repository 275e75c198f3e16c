// The bodies of onnx_rows.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <utility>

namespace tenon::inline v0_1::detail::onnx {

TENON_INLINE bool value_rows::has_known_inputs(const onnx_read_node& n) const {
  return !n.inputs.empty() && std::all_of(n.inputs.begin(), n.inputs.end(), [&](const std::string& name) {
    const value_kind kind = value_of(name).kind;
    return kind == value_kind::sizes || kind == value_kind::constant;
  });
}

TENON_INLINE bool value_rows::arrange_rows(const onnx_read_node& n) {
  if (n.type == "TopK") order_rows(n);
  else if (n.type == "ScatterElements" && input(n, 1).kind == value_kind::row_order &&
           input(n, 1).is_sorted) {
    if (input(n, 2).kind != value_kind::positions)
      refuse(n, "only the way back of an order of rows is understood");
    set(n, {.kind = value_kind::row_order});
  } else if (n.type == "Less" || n.type == "Greater") {
    return !has_known_inputs(n) && compare_with_lengths(n);
  } else if (n.type == "Where") {
    choose_past_end(n);
  } else {
    return false;
  }
  return true;
}
TENON_INLINE void value_rows::order_rows(const onnx_read_node& n) {
  const bool is_all = is_lengths(input(n, 0)) &&
                      input(n, 1).sizes == std::vector<symbolic_size>{{1, {batch_}}} &&
                      attribute(n, "largest", 1) == 1;
  if (!is_all) refuse(n, "only all rows in the order of their lengths are understood");
  set(n, {.kind = value_kind::lengths, .columns = input(n, 0).columns, .is_sorted = true});
  set(n, {.kind = value_kind::row_order, .is_sorted = true}, 1);
}
// False: numbers are compared.
TENON_INLINE bool value_rows::compare_with_lengths(const onnx_read_node& n) {
  const value_read &a = input(n, 0), &b = input(n, 1);
  const auto is_part = [](const value_read& v) {
    return v.kind == value_kind::columns || v.kind == value_kind::term;
  };
  const bool is_zero = b.kind == value_kind::sizes && b.sizes.size() == 1 && b.sizes[0] == symbolic_size{0};
  if (n.type == "Less" && a.kind == value_kind::positions && is_lengths(b))
    set(n, {.kind = value_kind::mask, .sizes = a.sizes, .columns = b.columns, .is_sorted = b.is_sorted});
  else if (n.type == "Greater" && is_zero && is_lengths(a))
    set(n, {.kind = value_kind::mask, .columns = a.columns, .is_sorted = a.is_sorted});
  else if (n.type == "Less" && is_zero && a.kind == value_kind::columns && edge(a.columns.edge).is_token)
    set(n, {.kind = value_kind::never});
  else if (is_part(a) || is_part(b)) return false;
  else refuse(n, "only positions below the lengths of rows, and lengths above 0, are understood");
  return true;
}
TENON_INLINE void value_rows::choose_past_end(const onnx_read_node& n) {
  const value_read a = input(n, 1), b = input(n, 2);
  const auto is_number = [](const value_read& v) {
    return v.kind == value_kind::zeros || (v.kind == value_kind::constant && v.constant.numbers.size() == 1);
  };
  const auto is_last = [&](const value_read& v) {
    return v.kind == value_kind::columns && edge(v.columns.edge).path.find('.') != std::string::npos;
  };
  const value_kind kind = input(n, 0).kind;
  if (kind == value_kind::mask && is_number(b)) {
    value_read made = a;
    const std::vector<symbolic_size>& steps = input(n, 0).sizes;
    if (steps.size() != 1 || steps[0].number != 1 || steps[0].axes.size() != 1)
      refuse(n, "positions of no sequence");
    const auto is_sorted = [&](const std::vector<int>& d) {
      return std::find(d.begin(), d.end(), sorted_batch_) != d.end();
    };
    const bool has_sorted_rows = std::any_of(a.columns.dims.begin(), a.columns.dims.end(), is_sorted);
    if (a.kind != value_kind::scores && has_sorted_rows != input(n, 0).is_sorted)
      refuse(n, "lengths in another order than the rows");
    pair_lengths(n, steps[0].axes[0], input(n, 0).columns.edge);
    made.past_end = b.kind == value_kind::zeros ? 0 : b.constant.numbers[0];
    set(n, made);
  } else if (kind == value_kind::mask && is_last(a) && b.kind == value_kind::columns) {
    set(n, a);  // a row without steps keeps its initial state
  } else if (kind == value_kind::never && is_number(a)) {
    set(n, b);
  } else {
    refuse(n, "only numbers past the end of rows are understood");
  }
}

}  // namespace tenon::inline v0_1::detail::onnx
