// The bodies of onnx_values.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace tenon::inline v0_1::detail::onnx {

TENON_INLINE void value_table::refuse(const onnx_read_node& n, const std::string& what) {
  throw not_understood{n.described() + ": " + what};
}
TENON_INLINE const value_read& value_table::value_of(const std::string& name) const {
  static const value_read nothing;
  const auto found = values_.find(name);
  return found == values_.end() ? nothing : found->second;
}
TENON_INLINE bool value_table::has_input(const onnx_read_node& n, std::size_t k) const {
  return k < n.inputs.size() && !n.inputs[k].empty();
}
TENON_INLINE const value_read& value_table::input(const onnx_read_node& n, std::size_t k) const {
  if (!has_input(n, k)) refuse(n, "input " + std::to_string(k) + " is missing");
  const value_read& v = value_of(n.inputs[k]);
  if (v.kind == value_kind::none)
    refuse(n, "reads '" + n.inputs[k] + "', which has no counterpart in a network");
  return v;
}
TENON_INLINE void value_table::set(const onnx_read_node& n, value_read v, std::size_t output) {
  if (output < n.outputs.size() && !n.outputs[output].empty()) values_[n.outputs[output]] = std::move(v);
}
TENON_INLINE void value_table::set_columns(const onnx_read_node& n, const edge_view& v, std::size_t output) {
  set(n, {.kind = value_kind::columns, .columns = v}, output);
}
TENON_INLINE std::int64_t value_table::attribute(const onnx_read_node& n, const char* name,
                                                 std::int64_t otherwise) {
  const auto found = n.attributes.find(name);
  return found == n.attributes.end() ? otherwise : found->second.integer;
}
TENON_INLINE std::vector<std::int64_t> value_table::list(const onnx_read_node& n, const char* name) {
  const auto found = n.attributes.find(name);
  return found == n.attributes.end() ? std::vector<std::int64_t>{} : found->second.integers;
}
TENON_INLINE bool value_table::is_constant(const onnx_read_node& n, std::size_t k) const {
  return has_input(n, k) && value_of(n.inputs[k]).kind == value_kind::constant;
}
TENON_INLINE const onnx_array& value_table::constant(const onnx_read_node& n, std::size_t k) const {
  if (!is_constant(n, k)) refuse(n, "input " + std::to_string(k) + " is expected to be a constant");
  const onnx_array& c = value_of(n.inputs[k]).constant;
  if (c.numbers.empty()) refuse(n, "input " + std::to_string(k) + " has no numbers");
  return c;
}
TENON_INLINE std::vector<std::int64_t> value_table::numbers(const onnx_read_node& n, std::size_t k) const {
  const value_read& v = input(n, k);
  std::vector<std::int64_t> all;
  if (v.kind != value_kind::sizes)
    refuse(n, "input " + std::to_string(k) + " is expected to be whole numbers");
  for (const symbolic_size& s : v.sizes) {
    if (!s.is_number()) refuse(n, "input " + std::to_string(k) + " depends on the length of an axis");
    constexpr std::int64_t most = std::int64_t(1)
                                  << 40;  // "up to the end" is written as a number beyond all others
    all.push_back(std::clamp(s.number, -most, most));
  }
  return all;
}
TENON_INLINE std::vector<std::size_t> value_table::order_of(const onnx_read_node& n, std::size_t rank) const {
  std::vector<std::size_t> order;
  for (const std::int64_t a : list(n, "perm")) order.push_back(static_cast<std::size_t>(a));
  if (order.empty())
    for (std::size_t a = rank; a-- > 0;) order.push_back(a);
  std::vector<std::size_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool fits = sorted.size() == rank;
  for (std::size_t a = 0; fits && a < rank; ++a) fits = sorted[a] == a;
  if (!fits) refuse(n, "its perm is no order of " + std::to_string(rank) + " dimensions");
  return order;
}
TENON_INLINE std::vector<std::int64_t> value_table::axes_of(const onnx_read_node& n, std::size_t k,
                                                            std::size_t rank) const {
  std::vector<std::int64_t> axes = has_input(n, k) ? numbers(n, k) : list(n, "axes");
  for (std::int64_t& a : axes) {
    if (a < 0) a += static_cast<std::int64_t>(rank);
    if (a < 0 || a >= static_cast<std::int64_t>(rank))
      refuse(n, "axis " + std::to_string(a) + " of " + std::to_string(rank));
  }
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) refuse(n, "an axis twice");
  return axes;
}

TENON_INLINE std::string clean_name(const std::string& name) {
  std::string clean;
  for (const char c : name) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_letter) clean += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!clean.empty() && clean.back() != '_') clean += '_';
  }
  while (!clean.empty() && clean.back() == '_') clean.pop_back();
  return !clean.empty() && std::isdigit(static_cast<unsigned char>(clean[0])) != 0 ? "n" + clean : clean;
}
TENON_INLINE std::string value_table::unused_name(const onnx_read_node& n, const std::string& hint) const {
  std::string name = hint.substr(0, hint.rfind('.'));
  if (hint.find('.') == std::string::npos || hint.find("::") != std::string::npos) {
    name = n.name;
    if (const std::size_t end = name.rfind('/'); end != std::string::npos && end > 0)
      name = name.substr(0, end);
    if (name.find("node_") == 0) name = name.substr(5);
  }
  std::string clean = clean_name(name);
  if (clean.empty()) clean = clean_name(n.type);
  return unused_name(clean);
}

// A name like that, of letters, digits and underlines, which no edge has.
TENON_INLINE std::string value_table::unused_name(const std::string& wanted_name) const {
  std::string clean;
  for (const char c : wanted_name) clean += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (clean.empty() || std::isdigit(static_cast<unsigned char>(clean[0])) != 0) clean = "n" + clean;
  constexpr std::size_t longest = 40;
  clean = clean.substr(0, longest);
  const auto is_used = [&](const std::string& wanted) {
    return std::any_of(made_.edges.begin(), made_.edges.end(), [&](const onnx_network_edge& e) {
      return e.path == wanted || e.path.find(wanted + ".") == 0;
    });
  };
  std::string unused = clean;
  for (int k = 2; is_used(unused); ++k) unused = clean + "_" + std::to_string(k);
  return unused;
}
TENON_INLINE edge_view value_table::whole_of(int e) { return wholes_[static_cast<std::size_t>(e)]; }
TENON_INLINE onnx_layer_node& value_table::node_of(int e) {
  return made_.nodes[static_cast<std::size_t>(edge(e).node)];
}
TENON_INLINE int value_table::add_node(const onnx_read_node& n, const std::string& layer,
                                       const std::vector<int>& sources, std::vector<int> axes,
                                       std::int64_t columns, const std::string& hint) {
  const std::string name = unused_name(n, hint);
  made_.nodes.push_back({.name = name, .layer = layer, .sources = sources});
  made_.edges.push_back({name, axes, columns, static_cast<int>(made_.nodes.size()) - 1});
  edge_view whole{.edge = static_cast<int>(made_.edges.size()) - 1,
                  .features = {axes_.add(axis_kind::features, columns)}};
  for (const int axis : axes) whole.dims.push_back({axis});
  whole.dims.push_back(whole.features);
  wholes_.push_back(whole);
  return whole.edge;
}
TENON_INLINE edge_view value_table::last_of(int layer, const std::string& state) {
  made_.edges.push_back({edge(layer).path + "." + state, {batch_}, edge(layer).columns, edge(layer).node});
  const std::vector<int> features = whole_of(layer).features;
  wholes_.push_back({static_cast<int>(made_.edges.size()) - 1, 0, features, {{batch_}, features}});
  return wholes_.back();
}
TENON_INLINE edge_view value_table::in_place_of(const edge_view& v, int e) {
  edge_view made = v;
  made.edge = e;
  made.first = 0;
  return made;
}
TENON_INLINE bool value_table::is_whole(const edge_view& v) const {
  return v.first == 0 && axes_.columns_of(v) == edge(v.edge).columns;
}
TENON_INLINE int value_table::edge_of(const onnx_read_node& n, const edge_view& v) {
  if (is_whole(v) || edge(v.edge).is_token) return v.edge;
  const std::string range = std::to_string(v.first) + ", " + std::to_string(axes_.columns_of(v)),
                    name = "columns_" + std::to_string(v.first) + "_" + std::to_string(axes_.columns_of(v));
  const int e =
      add_node(n, name, {v.edge}, edge(v.edge).axes, axes_.columns_of(v), edge(v.edge).path + "_columns.");
  node_of(e).equation =
      "struct " + name + " {\n  static constexpr auto at(auto x) { return slice<" + range + ">(x); }\n};\n";
  return e;
}
TENON_INLINE std::string value_table::said(const edge_view& v) const {
  std::string text = "[";
  for (const std::vector<int>& d : v.dims) {
    std::string dimension;
    for (const int axis : d) {
      constexpr const char* kinds[]{"batch", "steps", "lines", "places", "layers", "features"};
      dimension += (dimension.empty() ? "" : " x ") + std::string(kinds[static_cast<int>(axes_[axis].kind)]);
    }
    text += (text.size() > 1 ? ", " : "") + (dimension.empty() ? "1" : dimension);
  }
  return text + "]";
}

TENON_INLINE bool value_table::is_lengths(const value_read& v) {
  if (v.kind == value_kind::lengths) return true;
  if (v.kind != value_kind::columns || !edge(v.columns.edge).is_token || edge(v.columns.edge).axes.size() > 1)
    return false;
  for (onnx_network_input& i : made_.inputs) i.is_lengths = i.is_lengths || i.edge == v.columns.edge;
  return true;
}
TENON_INLINE bool value_table::has_past_end(const onnx_read_node& n, bool lowest) const {
  constexpr double below_all = -1e30;
  const std::optional<double> past_end = value_of(n.inputs[0]).past_end;
  return past_end && (lowest ? *past_end <= below_all : *past_end == 0);
}
TENON_INLINE void value_table::pair_lengths(const onnx_read_node& n, int axis, int lengths) {
  if (lengths_.emplace(axis, lengths).first->second != lengths)
    refuse(n, "another input of lengths for the same steps");
}
TENON_INLINE void value_table::needs_whole_rows(const onnx_read_node& n) {
  if (needs_whole_rows_.empty()) needs_whole_rows_ = n.described();
}
TENON_INLINE edge_view value_table::materialised(const onnx_read_node& reader, const value_read& v) {
  if (v.kind == value_kind::columns) return v.columns;
  if (v.kind != value_kind::term) refuse(reader, "expected numbers that a node of the network makes");
  const onnx_read_node& n = *v.made_by;
  if (v.expression->is_one)
    refuse(n, "a sum, a mean or a largest of features that is no part of an equation");
  equation_text text = equation_of(*v.expression, axes_);
  const std::vector<int> axes = edge(v.columns.edge).axes;
  std::vector<int> sources;
  for (const edge_view& argument : text.arguments) sources.push_back(edge_of(n, argument));
  std::string layer = activation_of(*v.expression);
  if (layer.empty() && v.expression->type == "%0 + %1" && text.vectors.empty() &&
      text.arguments.size() == 2 && v.expression->of[0]->type.empty() && v.expression->of[1]->type.empty())
    layer = "add";
  const int e = add_node(n, layer, sources, axes, axes_.columns_of(v.columns));
  if (layer.empty()) {
    onnx_layer_node& made = node_of(e);
    made.layer = made.name + "_equation";
    constexpr const char* names[]{"x", "y", "z", "u", "v", "w"};
    std::string arguments;
    for (std::size_t k = 0; k < text.arguments.size(); ++k)
      arguments += (k > 0 ? ", auto " : "auto ") + (k < 6 ? std::string(names[k]) : "x" + std::to_string(k));
    for (std::size_t k = 0; k < text.vectors.size(); ++k)
      made.parameters.emplace_back("v" + std::to_string(k), text.vectors[k]);
    made.equation = "struct " + made.layer + (text.vectors.empty() ? "" : " : equations::symbols") +
                    " {\n  static constexpr auto at(" + arguments + ") { return " + text.body + "; }\n};\n";
  }
  return in_place_of(v.columns, e);
}
TENON_INLINE std::pair<edge_view, double> value_table::scaled(const value_read& v) {
  if (v.kind != value_kind::term) return {v.columns, 1};
  const term& t = *v.expression;
  const bool is_scaled =
      (t.type == "%0 * %1" || t.type == "%0 / %1") && t.of[0]->type.empty() && t.of[1]->is_number();
  const bool is_turned = t.type == "%0 * %1" && t.of[0]->is_number() && t.of[1]->type.empty();
  if (is_scaled && t.of[0]->columns.edge >= 0)
    return {v.columns, t.type == "%0 * %1" ? t.of[1]->number : 1 / t.of[1]->number};
  if (is_turned && t.of[1]->columns.edge >= 0) return {v.columns, t.of[0]->number};
  return {{}, 0};
}
TENON_INLINE edge_view value_table::columns(const onnx_read_node& n, std::size_t k) {
  const value_read& v = input(n, k);
  if (v.kind == value_kind::columns) return v.columns;
  const edge_view made = materialised(n, v);
  values_[n.inputs[k]] = {.kind = value_kind::columns, .columns = made};
  return made;
}

// --- elementwise --------------------------------------------------------------------------------------------

// A number for each column, if the constant's long dimensions are where the columns' axes are, all of them in order.
TENON_INLINE std::optional<onnx_array> value_table::vector_for(const edge_view& like,
                                                               const onnx_array& c) const {
  if (c.shape.size() > like.dims.size() || c.size() != axes_.columns_of(like)) return {};
  const std::size_t behind = like.dims.size() - c.shape.size();
  std::vector<int> along;
  for (std::size_t d = 0; d < c.shape.size(); ++d) {
    const std::vector<int>& axes = like.dims[behind + d];
    if (c.shape[d] == 1) continue;
    if (!(axes_.size_of(axes) == symbolic_size{c.shape[d]})) return {};
    along.insert(along.end(), axes.begin(), axes.end());
  }
  std::vector<int> columns;
  for (const int axis : like.features)
    if (axes_[axis].length != 1) columns.push_back(axis);
  if (along != columns) return {};
  onnx_array made = c;
  made.shape = {c.size()};
  return made;
}
TENON_INLINE term_pointer value_table::term_of(const onnx_read_node& n, std::size_t k,
                                               const edge_view* like) {
  const value_read& v = input(n, k);
  if (v.kind == value_kind::term) {
    constexpr int deepest = 40, most = 200;  // of one equation
    const bool is_shared =
        v.expression->operators < most && (v.expression->is_reduced || edge(v.columns.edge).is_token);
    if ((readers_[n.inputs[k]] == 1 || is_shared) && v.expression->depth < deepest) return v.expression;
    columns(n, k);
  }
  auto made = std::make_shared<term>();
  if (const value_read& now = input(n, k); now.kind == value_kind::columns) {
    made->columns = now.columns;
    return made;
  }
  if (v.kind == value_kind::zeros) return made;
  if (v.kind == value_kind::sizes && v.sizes.size() == 1 && v.sizes[0].is_number()) {
    made->number = static_cast<double>(v.sizes[0].number);
    return made;
  }
  const onnx_array& c = constant(n, k);
  if (c.numbers.size() == 1) {
    made->number = c.numbers[0];
    return made;
  }
  if (like == nullptr) refuse(n, "has constants only");
  const std::optional<onnx_array> vector = vector_for(*like, c);
  if (!vector)
    refuse(n, "a constant varies along other dimensions of " + said(*like) +
                  " than its features; only one number, or one for each feature, is understood");
  made->vector = *vector;
  return made;
}

TENON_INLINE bool value_table::elementwise(const onnx_read_node& n) {
  const std::string form = form_of(n);
  if (form.empty()) return false;
  if (n.inputs.size() != (form.find("%1") != std::string::npos || n.type == "Pow" ? 2u : 1u))
    refuse(n, "has " + std::to_string(n.inputs.size()) + " inputs");
  std::size_t first = n.inputs.size();
  bool has_constants_only = true, has_scores = false, has_positions = false;
  for (std::size_t k = 0; k < n.inputs.size(); ++k) {
    const value_kind kind = input(n, k).kind;
    if ((kind == value_kind::columns || kind == value_kind::term) && first == n.inputs.size()) first = k;
    has_scores = has_scores || kind == value_kind::scores;
    has_positions = has_positions || kind == value_kind::positions || kind == value_kind::lengths;
    has_constants_only = has_constants_only && (kind == value_kind::constant || kind == value_kind::sizes);
  }
  if (has_positions) {
    const bool has_lengths = std::any_of(n.inputs.begin(), n.inputs.end(), [&](const std::string& name) {
      return value_of(name).kind == value_kind::lengths;
    });
    if (has_lengths) refuse(n, "computes with the lengths of rows");
    set(n, {.kind = value_kind::positions});
    return true;
  }
  if (has_scores) {  // times a number
    const std::size_t of = input(n, 0).kind == value_kind::scores ? 0 : 1;
    const bool is_scaled = n.inputs.size() == 2 && (n.type == "Mul" || (n.type == "Div" && of == 0)) &&
                           is_constant(n, 1 - of) && constant(n, 1 - of).numbers.size() == 1 &&
                           !input(n, of).scores.is_normal;
    if (!is_scaled) refuse(n, "of products of queries and keys; only a number times them is understood");
    value_read v = input(n, of);
    const double by = constant(n, 1 - of).numbers[0];
    v.scores.scale *= n.type == "Mul" ? by : 1 / by;
    set(n, v);
    return true;
  }
  if (has_constants_only) return false;
  if (first == n.inputs.size()) refuse(n, "expected numbers that a node of the network makes");
  const value_read one = input(n, first);
  if (edge(one.columns.edge).is_token && n.type == "Max") {
    const value_read& other = input(n, 1 - std::min<std::size_t>(first, 1));
    if (other.kind == value_kind::sizes && other.sizes == std::vector<symbolic_size>{{0}}) {
      set(n, one);  // a token below 0 is a row of zeros
      return true;
    }
  }
  const edge_view like = one.columns;
  auto made = std::make_shared<term>();
  made->type = form;
  for (std::size_t k = 0; k < n.inputs.size(); ++k) {
    if (n.type == "Pow" && k == 1) {
      if (!is_constant(n, 1) || constant(n, 1).numbers != std::vector<double>{2})
        refuse(n, "only squares are understood");
      break;
    }
    const value_read v = input(n, k);
    made->of.push_back(term_of(n, k, &like));
    made->depth = std::max(made->depth, 1 + made->of.back()->depth);
    made->operators += (k == 0 ? 1 : 0) + made->of.back()->operators;
    made->is_reduced = made->is_reduced || made->of.back()->is_reduced;
    made->is_one = (k == 0 || made->is_one) && (made->of.back()->is_one || made->of.back()->is_number());
    if (v.kind != value_kind::columns && v.kind != value_kind::term) continue;
    // The same axes at the same dimensions; columns by their lengths.
    const edge_view now = input(n, k).kind == value_kind::columns ? input(n, k).columns : v.columns;
    bool fits = now.dims.size() == like.dims.size() && now.features.size() == like.features.size();
    for (std::size_t d = 0; fits && d < now.dims.size(); ++d) {
      fits = now.dims[d].size() == like.dims[d].size();
      for (std::size_t a = 0; fits && a < now.dims[d].size(); ++a) {
        const int mine = now.dims[d][a], other = like.dims[d][a];
        fits =
            mine == other || (axes_.is(mine, axis_kind::features) && axes_.is(other, axis_kind::features) &&
                              axes_[mine].length == axes_[other].length);
      }
    }
    if (!fits) refuse(n, "of " + said(like) + " and " + said(now) + ", which a network does not join");
  }
  set(n, {.kind = value_kind::term, .columns = like, .expression = made, .made_by = &n});
  return true;
}

}  // namespace tenon::inline v0_1::detail::onnx
