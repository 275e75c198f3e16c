// The bodies of onnx_moves.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace tenon::inline v0_1::detail::onnx {

TENON_INLINE bool value_moves::move(const onnx_read_node& n) {
  const auto is = [&](std::initializer_list<const char*> types) {
    return std::any_of(types.begin(), types.end(), [&](const char* t) { return n.type == t; });
  };
  if (n.type == "Constant") {
    value_read v{.kind = value_kind::sizes};
    for (const auto& [name, a] : n.attributes) {
      if (name == "value") v.constant = a.tensor;
      if (name == "value_int") v.constant = {{}, {}, {a.integer}, true};
      if (name == "value_ints") v.constant = {{std::ssize(a.integers)}, {}, a.integers, true};
      if (name == "value_float") v.constant = {{}, {a.number}};
      if (name == "value_floats") v.constant = {{std::ssize(a.numbers)}, a.numbers};
    }
    v.is_list = !v.constant.shape.empty();
    for (const std::int64_t k : v.constant.integers) v.sizes.push_back({k});
    if (!v.constant.is_whole) v.kind = value_kind::constant;
    set(n, v);
    return true;
  }
  if (is({"Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Cast", "Dropout",
          "Expand"})) {
    const value_kind kind = input(n, 0).kind;
    const bool is_alike = kind == value_kind::zeros || kind == value_kind::row_order ||
                          kind == value_kind::mask || kind == value_kind::never ||
                          kind == value_kind::positions || kind == value_kind::lengths;
    if (is_alike || is({"Identity", "Dropout"})) set(n, input(n, 0));
    else if (kind == value_kind::scores && n.type == "Cast") set(n, input(n, 0));
    else move_shape(n);
    return true;
  }
  if (n.type == "Shape" || n.type == "ConstantOfShape" || n.type == "Range" || n.type == "ReduceProd") {
    compute_sizes(n);
    return true;
  }
  if (n.type == "Slice") slice(n);
  else if (n.type == "Gather") gather(n);
  else if (n.type == "Split") split(n);
  else if (n.type == "Concat") concatenate(n);
  else if (arrange_rows(n)) return true;
  else if (has_known_inputs(n)) compute_sizes(n);
  else return false;
  return true;
}

TENON_INLINE void value_moves::move_shape(const onnx_read_node& n) {
  value_read v = input(n, 0);
  if (n.type == "Cast") {
    const std::int64_t to = attribute(n, "to", 1);
    const bool is_number = to == 1 || to == 10 || to == 11 || to == 16;
    if (v.kind == value_kind::sizes && is_number) {
      v.kind = value_kind::constant;
      for (const symbolic_size& s : v.sizes) {
        if (!s.is_number()) refuse(n, "the length of an axis as a number");
        v.constant.numbers.push_back(static_cast<double>(s.number));
      }
      v.constant.shape =
          v.is_list ? std::vector<std::int64_t>{std::ssize(v.sizes)} : std::vector<std::int64_t>{};
      v.constant.is_whole = false;
    }
    return set(n, v);
  }
  if (v.kind == value_kind::sizes) {
    v.is_list = n.type == "Unsqueeze" || (n.type == "Reshape" && !input(n, 1).sizes.empty());
    if (n.type == "Expand" || n.type == "Transpose") v.is_list = true;
    return set(n, v);
  }
  if (v.kind == value_kind::constant) return set(n, moved_constant(n, v));
  const auto [part, by] = scaled(v);  // stays times its number
  const bool is_scaled = v.kind == value_kind::term && by != 0;
  edge_view x = is_scaled || v.kind == value_kind::scores ? part : columns(n, 0);
  const std::size_t rank = x.dims.size();
  if (n.type == "Transpose") {
    dimensions dims;
    for (const std::size_t a : order_of(n, rank)) dims.push_back(x.dims[a]);
    x.dims = dims;
  } else if (n.type == "Unsqueeze") {
    const std::size_t more = has_input(n, 1) ? numbers(n, 1).size() : list(n, "axes").size();
    for (const std::int64_t a : axes_of(n, 1, rank + more))
      x.dims.insert(x.dims.begin() + a, std::vector<int>{});
    axes_.settle(x.dims);
  } else if (n.type == "Squeeze") {
    std::vector<std::int64_t> axes = axes_of(n, 1, rank);
    if (axes.empty())
      for (std::size_t a = 0; a < rank; ++a)
        if (axes_.size_of(x.dims[a]) == symbolic_size{}) axes.push_back(static_cast<std::int64_t>(a));
    for (std::size_t k = axes.size(); k-- > 0;) {
      const auto a = static_cast<std::size_t>(axes[k]);
      if (!(axes_.size_of(x.dims[a]) == symbolic_size{}))
        refuse(n, "dimension " + std::to_string(a) + " of " + said(x) + " is not 1");
      const std::vector<int> ones = x.dims[a];
      x.dims.erase(x.dims.begin() + static_cast<std::ptrdiff_t>(a));
      if (!ones.empty() && !x.dims.empty()) {
        std::vector<int>& beside = x.dims[std::min(a, x.dims.size() - 1)];
        beside.insert(a < x.dims.size() ? beside.begin() : beside.end(), ones.begin(), ones.end());
      }
    }
  } else if (n.type == "Expand") {
    refuse(n, "repeats " + said(x));
  } else {
    std::vector<symbolic_size> to;
    if (n.type == "Flatten") {
      const auto axis = static_cast<std::size_t>(attribute(n, "axis", 1));
      to.assign(2, {});
      for (std::size_t a = 0; a < rank; ++a)
        to[a < axis ? 0 : 1] = product(to[a < axis ? 0 : 1], axes_.size_of(x.dims[a]));
    } else {
      to = input(n, 1).sizes;
      for (std::size_t a = 0; a < to.size(); ++a)
        if (to[a] == symbolic_size{0} && attribute(n, "allowzero", 0) == 0)
          to[a] = axes_.size_of(x.dims.at(a));
    }
    const auto made = axes_.reshaped(x, to);
    if (!made) {
      for (std::size_t a = 0; a < std::min(to.size(), rank); ++a) {
        const int axis = axis_table::only(x.dims[a]);
        if (axis >= 0 && axes_.is(axis, axis_kind::steps) && axes_[axis].length < 0 && to[a].is_number() &&
            to[a].number > 1)
          throw not_understood{n.described(), axes_[axis].name, to[a].number};
      }
      std::string wanted;
      for (const symbolic_size& t : to) {
        wanted += (wanted.empty() ? "" : ", ") + std::to_string(t.number);
        for (const int axis : t.axes) wanted += " x " + axes_[axis].name;
      }
      refuse(n,
             "makes of " + said(x) + " [" + wanted + "], which joins or divides axes as a network does not");
    }
    x = *made;
  }
  if (v.kind == value_kind::scores) {
    v.columns = x;
    return set(n, v);
  }
  if (!is_scaled) return set(n, {.kind = value_kind::columns, .columns = x, .past_end = v.past_end});
  const auto leaf = std::make_shared<term>(), number = std::make_shared<term>(),
             all = std::make_shared<term>();
  leaf->columns = x;
  number->number = by;
  all->type = "%0 * %1";
  all->of = {leaf, number};
  all->depth = 1;
  set(n, {.kind = value_kind::term, .columns = x, .expression = all, .made_by = v.made_by});
}

TENON_INLINE edge_view value_moves::step_of(const onnx_read_node& n, const edge_view& v,
                                            std::size_t dimension, bool is_last) {
  const int steps = axis_table::only(v.dims[dimension]);
  const bool is_state = is_last && is_whole(v) && edge(v.edge).node >= 0 && node_of(v.edge).is_recurrence() &&
                        edge(v.edge).path == node_of(v.edge).name &&
                        node_of(v.edge).layer.find("bidirectional") == std::string::npos;
  if (is_state) {
    edge_view made = in_place_of(v, last_of(v.edge, "final").edge);
    made.dims[dimension].clear();
    return made;
  }
  std::vector<int> axes;
  for (const int axis : edge(v.edge).axes)
    if (axis != steps) axes.push_back(axis);
  const int e =
      add_node(n, is_last ? "last_over<>" : "first_over<>", {edge_of(n, v)}, axes, axes_.columns_of(v));
  edge_view made = in_place_of(v, e);
  made.dims[dimension].clear();
  return made;
}

TENON_INLINE void value_moves::take_columns(const onnx_read_node& n, std::size_t axis, std::int64_t first,
                                            std::int64_t end, bool keep) {
  const edge_view x = columns(n, 0);
  const symbolic_size size = axes_.size_of(x.dims.at(axis));
  const int only = axis_table::only(x.dims[axis]);
  edge_view made = x;
  const bool is_steps = only >= 0 && axes_.is(only, axis_kind::steps);
  const bool is_end = first == -1 || (size.is_number() && first == size.number - 1);
  if (is_steps && (first == 0 || is_end) && (end == first + 1 || (is_end && (end == 0 || end > 1'000'000)))) {
    made = step_of(n, x, axis, is_end);
    if (is_end) needs_whole_rows(n);
  } else {
    if (!size.is_number())
      refuse(n, "takes a part of " + said(x) + " along dimension " + std::to_string(axis));
    if (first < 0) first += size.number;
    if (end < 0 || (end == 0 && first > 0)) end += size.number;
    end = std::min(end, size.number);
    if (first < 0 || end <= first) refuse(n, "takes nothing of " + said(x));
    if (first == 0 && end == size.number && keep) return set_columns(n, x);
    const auto part = axes_.columns(x, axis, first, end);
    if (!part) refuse(n, "takes a part of " + said(x) + " along dimension " + std::to_string(axis));
    made = *part;
  }
  if (!keep) made.dims.erase(made.dims.begin() + static_cast<std::ptrdiff_t>(axis));
  set_columns(n, made);
}

TENON_INLINE void value_moves::slice(const onnx_read_node& n) {
  const value_read v = input(n, 0);
  if (v.kind == value_kind::zeros) return set(n, v);
  const std::vector<std::int64_t> first = numbers(n, 1);
  const value_read& ends = input(n, 2);
  std::vector<std::int64_t> end;
  for (const symbolic_size& s : ends.sizes) end.push_back(s.is_number() ? s.number : std::int64_t(1) << 40);
  if (has_input(n, 4))
    for (const std::int64_t by : numbers(n, 4))
      if (by != 1) refuse(n, "steps over elements");
  if (v.kind == value_kind::sizes) {
    value_read made = v;
    const auto rank = std::ssize(v.sizes);
    const auto place = [&](std::int64_t k) {
      return std::clamp<std::int64_t>(k < 0 ? k + rank : k, 0, rank);
    };
    const std::int64_t from = place(first.at(0)), to = std::max(from, place(end.at(0)));
    made.sizes.assign(v.sizes.begin() + from, v.sizes.begin() + to);
    return set(n, made);
  }
  if (v.kind == value_kind::constant) {
    value_read made = v;
    onnx_array& c = made.constant;
    const std::int64_t axis = has_input(n, 3) ? numbers(n, 3).at(0) : 0;
    if (first.size() != 1 || axis != 0) refuse(n, "of a constant, along other dimensions than the first");
    const std::int64_t rows = c.shape.at(0), width = rows > 0 ? c.size() / rows : 0,
                       from = first[0] < 0 ? first[0] + rows : first[0],
                       to = std::min(rows, end.at(0) < 0 ? end[0] + rows : end[0]);
    if (from < 0 || to < from) refuse(n, "of a constant, outside of it");
    c.numbers.assign(c.numbers.begin() + from * width, c.numbers.begin() + to * width);
    c.shape[0] = to - from;
    return set(n, made);
  }
  if (first.size() != 1) refuse(n, "along several dimensions at once");
  const std::size_t rank = columns(n, 0).dims.size();
  const std::int64_t axis = has_input(n, 3) ? numbers(n, 3).at(0) : 0;
  take_columns(n, static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis),
               first[0], end.at(0), true);
}

TENON_INLINE void value_moves::gather(const onnx_read_node& n) {
  const value_read x = input(n, 0), which = input(n, 1);
  std::int64_t axis = attribute(n, "axis", 0);
  if (x.kind == value_kind::sizes) {
    value_read made{.kind = value_kind::sizes, .is_list = which.is_list};
    for (const std::int64_t k : numbers(n, 1))
      made.sizes.push_back(x.sizes.at(static_cast<std::size_t>(k < 0 ? k + std::ssize(x.sizes) : k)));
    return set(n, made);
  }
  if (which.kind == value_kind::row_order) {
    if (x.kind == value_kind::zeros) return set(n, x);
    edge_view v = columns(n, 0);
    const int from = which.is_sorted ? batch_ : sorted_batch_, to = which.is_sorted ? sorted_batch_ : batch_;
    if (axis < 0) axis += std::ssize(v.dims);
    if (v.dims.at(static_cast<std::size_t>(axis)) != std::vector<int>{from})
      refuse(n, "an order of rows along another dimension of " + said(v));
    v.dims[static_cast<std::size_t>(axis)] = {to};
    return set_columns(n, v);
  }
  const bool is_by_term = which.kind == value_kind::term && edge(which.columns.edge).is_token;
  if (x.kind == value_kind::constant && (which.kind == value_kind::columns || is_by_term) &&
      axis == 0) {  // a table
    if (!edge(which.columns.edge).is_token || x.constant.shape.size() != 2)
      refuse(n, "rows of a table are looked up by tokens only");
    if (x.constant.numbers.empty()) refuse(n, "of an empty table");
    const std::int64_t rows = x.constant.shape[0], width = x.constant.shape[1];
    for (std::int64_t row = 0; is_by_term && row < rows;
         ++row)  // such as rows that negative tokens count from the end
      if (value_of_term(*which.expression, static_cast<double>(row)) != static_cast<double>(row))
        refuse(n, "looks up another row than the token's");
    const int tokens = which.columns.edge;
    for (onnx_network_input& i : made_.inputs)
      if (i.edge == tokens && i.entry.find("token<") == std::string::npos) {
        const std::string name = edge(tokens).path + "_values";
        i.entry = "token<" + name + ">" + (i.entry.empty() ? "" : ", " + i.entry);
        made_.sizes.emplace_back(name, rows);
      }
    const int e = add_node(n, "embedding<" + edge(tokens).path + "_values, " + std::to_string(width) + ">",
                           {tokens}, edge(tokens).axes, width, n.inputs[0]);
    for (const auto& [name, size] : made_.sizes)
      if (name == edge(tokens).path + "_values" && size != rows)
        node_of(e).layer = "embedding<" + std::to_string(rows) + ", " + std::to_string(width) + ">";
    node_of(e).parameters.emplace_back("weight", x.constant);
    edge_view made = in_place_of(which.columns, e);
    made.features = whole_of(e).features;
    made.dims.push_back(made.features);
    return set_columns(n, made);
  }
  const std::vector<std::int64_t> at = numbers(n, 1);
  const edge_view v = columns(n, 0);
  if (axis < 0) axis += std::ssize(v.dims);
  if (at.size() != 1 || which.is_list) refuse(n, "of several parts");
  take_columns(n, static_cast<std::size_t>(axis), at[0], at[0] + 1, false);
}

TENON_INLINE void value_moves::split(const onnx_read_node& n) {
  const edge_view x = columns(n, 0);
  std::int64_t axis = attribute(n, "axis", 0), first = 0;
  if (axis < 0) axis += std::ssize(x.dims);
  std::vector<std::int64_t> parts = has_input(n, 1) ? numbers(n, 1) : list(n, "split");
  const symbolic_size size = axes_.size_of(x.dims.at(static_cast<std::size_t>(axis)));
  if (parts.empty() && size.is_number()) parts.assign(n.outputs.size(), size.number / std::ssize(n.outputs));
  for (std::size_t k = 0; k < n.outputs.size(); ++k) {
    const auto part = axes_.columns(x, static_cast<std::size_t>(axis), first, added(first, parts.at(k)));
    if (!part) refuse(n, "divides " + said(x) + " along dimension " + std::to_string(axis));
    set_columns(n, *part, k);
    first += parts[k];
  }
}

TENON_INLINE void value_moves::concatenate(const onnx_read_node& n) {
  const value_kind kind = input(n, 0).kind;
  const auto all_are = [&](value_kind k) {
    return std::all_of(n.inputs.begin(), n.inputs.end(),
                       [&](const std::string& name) { return value_of(name).kind == k; });
  };
  if (all_are(value_kind::zeros)) return set(n, {.kind = value_kind::zeros});
  if (all_are(value_kind::sizes)) {
    value_read made{.kind = kind};
    for (std::size_t k = 0; k < n.inputs.size(); ++k) {
      const value_read& part = input(n, k);
      made.sizes.insert(made.sizes.end(), part.sizes.begin(), part.sizes.end());
    }
    return set(n, made);
  }
  if (std::any_of(n.inputs.begin(), n.inputs.end(),
                  [&](const std::string& name) { return value_of(name).kind == value_kind::positions; }))
    return set(n, {.kind = value_kind::positions});
  std::vector<edge_view> parts;
  for (std::size_t k = 0; k < n.inputs.size(); ++k) parts.push_back(columns(n, k));
  std::int64_t axis = attribute(n, "axis", 0);
  if (axis < 0) axis += std::ssize(parts[0].dims);
  const auto at = static_cast<std::size_t>(axis);
  std::vector<int> sources;
  std::int64_t total = 0;
  bool are_neighbours = true;
  for (const edge_view& p : parts) {
    const bool fits = p.dims.size() == parts[0].dims.size() && p.dims.at(at) == p.features;
    bool others_fit = fits;
    for (std::size_t d = 0; fits && d < p.dims.size(); ++d)
      others_fit = others_fit && (d == at || p.dims[d] == parts[0].dims[d]);
    if (!others_fit) refuse(n, "joins " + said(parts[0]) + " and " + said(p) + "; only features are joined");
    are_neighbours = are_neighbours && p.edge == parts[0].edge && p.first == parts[0].first + total;
    total += axes_.columns_of(p);
  }
  edge_view made = parts[0];
  const int joined = axes_.add(axis_kind::features, total);
  if (!are_neighbours) {
    for (const edge_view& p : parts) sources.push_back(edge_of(n, p));
    made.edge = add_node(n, "concatenate", sources, edge(parts[0].edge).axes, total);
    made.first = 0;
  }
  made.features = {joined};
  made.dims[at] = {joined};
  set_columns(n, made);
}

}  // namespace tenon::inline v0_1::detail::onnx
