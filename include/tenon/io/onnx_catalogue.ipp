// The bodies of onnx_catalogue.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::inline v0_1::detail::onnx {

TENON_INLINE void catalogue::add_linear(const onnx_read_node& n, const edge_view& x, const onnx_array& weight,
                                        const onnx_array* bias, const std::string& hint) {
  const std::int64_t out = weight.shape[0], in = weight.shape[1];
  if (bias != nullptr && bias->size() != out)
    refuse(n, "expected a bias of " + std::to_string(out) + " numbers, got " + std::to_string(bias->size()));
  if (x.dims.empty() || x.dims.back() != x.features || axes_.columns_of(x) != in)
    refuse(n, "multiplies the last dimension of " + said(x) + " by a matrix for " + std::to_string(in) +
                  " features");
  const int e = add_node(n, "linear<" + std::to_string(out) + (bias != nullptr ? ">" : ", no_bias>"),
                         {edge_of(n, x)}, edge(x.edge).axes, out, hint);
  node_of(e).parameters.emplace_back("weight", weight);
  if (bias != nullptr) node_of(e).parameters.emplace_back("bias", *bias);
  edge_view made = in_place_of(x, e);
  made.features = whole_of(e).features;
  made.dims.back() = made.features;
  set_columns(n, made);
}

TENON_INLINE onnx_array transposed_matrix(const onnx_array& m) {
  onnx_array turned{{m.shape[1], m.shape[0]}};
  for (std::int64_t column = 0; column < m.shape[1]; ++column)
    for (std::int64_t row = 0; row < m.shape[0]; ++row)
      turned.numbers.push_back(m.numbers[static_cast<std::size_t>(row * m.shape[1] + column)]);
  return turned;
}

// A value that one node reads, and that is a product, or is one that was moved, with no other reader.
TENON_INLINE bool catalogue::is_read_once(const std::string& name) const {
  const std::string* at = &name;
  for (;;) {
    const auto readers = readers_.find(*at);
    const auto maker = makers_.find(*at);
    if (readers == readers_.end() || readers->second != 1 || maker == makers_.end()) return false;
    const onnx_read_node& n = *maker->second;
    if (n.type == "MatMul" || n.type == "Conv") return true;
    const bool is_move = n.type == "Reshape" || n.type == "Transpose" || n.type == "Squeeze" ||
                         n.type == "Unsqueeze" || n.type == "Identity" || n.type == "Cast";
    if (!is_move) return false;
    at = &n.inputs.at(0);
  }
}
TENON_INLINE bool catalogue::add_bias(const onnx_read_node& n) {
  for (const std::size_t k : {std::size_t(0), std::size_t(1)}) {
    if (!is_constant(n, 1 - k) || input(n, k).kind != value_kind::columns || !is_read_once(n.inputs[k]))
      continue;
    const edge_view x = input(n, k).columns;
    if (edge(x.edge).node < 0 || !is_whole(x)) continue;
    onnx_layer_node& product = node_of(x.edge);
    const std::optional<onnx_array> bias = vector_for(x, constant(n, 1 - k));
    const bool is_product = product.layer.find("linear<") == 0 || product.layer.find("conv") == 0;
    const std::size_t end = product.layer.find(", no_bias>");
    if (!is_product || end == std::string::npos || !bias) continue;
    product.layer = product.layer.substr(0, end) + ">";
    product.parameters.emplace_back("bias", *bias);
    const std::string& hint = n.inputs[1 - k];
    if (hint.find('.') != std::string::npos && hint.find("::") == std::string::npos) {
      std::string& path = made_.edges[static_cast<std::size_t>(x.edge)].path;
      path.clear();  // its own name is no reason for another
      product.name = path = unused_name(n, hint);
    }
    set_columns(n, x);
    return true;
  }
  return false;
}

// The numbers of a node's windows along `rank` dimensions. The node may have one more, which is 1; 0: it has not.
TENON_INLINE catalogue::window_numbers catalogue::windows_of(const onnx_read_node& n, std::size_t rank,
                                                             std::size_t flat) const {
  window_numbers w{list(n, "kernel_shape"), list(n, "strides"), list(n, "dilations"), list(n, "pads")};
  const std::size_t all = rank + (flat > 0 ? 1 : 0);
  if (n.type == "Conv") w.kernel.assign(constant(n, 1).shape.begin() + 2, constant(n, 1).shape.end());
  if (w.kernel.size() != all) refuse(n, "windows of another rank than its input");
  if (w.strides.empty()) w.strides.assign(all, 1);
  if (w.dilations.empty()) w.dilations.assign(all, 1);
  if (w.pads.empty()) w.pads.assign(2 * all, 0);
  const auto are_positive = [&](const std::vector<std::int64_t>& numbers) {
    constexpr std::int64_t most = 1 << 20;
    return numbers.size() == all &&
           std::all_of(numbers.begin(), numbers.end(), [](std::int64_t k) { return 0 < k && k < most; });
  };
  const bool are_pads =
      w.pads.size() == 2 * all &&
      std::all_of(w.pads.begin(), w.pads.end(), [](std::int64_t k) { return 0 <= k && k < 1 << 20; });
  if (!are_positive(w.kernel) || !are_positive(w.strides) || !are_positive(w.dilations) || !are_pads)
    refuse(n,
           "kernel, strides, dilations or pads that are no sizes of " + std::to_string(all) + " dimensions");
  if (flat == 0) return w;
  const std::size_t at = flat - 2;
  if (w.kernel[at] != 1 || w.strides[at] != 1 || w.pads[at] != 0 || w.pads[at + all] != 0)
    refuse(n, "windows along a dimension that is 1");
  const auto drop = [](std::vector<std::int64_t>& numbers, std::size_t k) {
    numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(k));
  };
  drop(w.pads, at + all);
  for (std::vector<std::int64_t>* const numbers : {&w.kernel, &w.strides, &w.dilations, &w.pads})
    drop(*numbers, at);
  return w;
}
TENON_INLINE void catalogue::add_windows(const onnx_read_node& n) {
  edge_view x = columns(n, 0);
  // Lines of one step, or steps of one place, are steps.
  std::size_t flat = 0;  // the dimension that is 1
  for (std::size_t d = 2; d < x.dims.size() && x.dims.size() == 4; ++d)
    if (x.dims[d].empty()) flat = d;
  if (flat > 0) x.dims.erase(x.dims.begin() + static_cast<std::ptrdiff_t>(flat));
  const bool is_grid = x.dims.size() == 4, is_convolution = n.type == "Conv";
  if (!is_grid && !has_past_end(n, n.type == "MaxPool")) needs_whole_rows(n);
  const auto is = [&](std::size_t d, axis_kind kind) {
    return axis_table::only(x.dims[d]) >= 0 && axes_.is(x.dims[d][0], kind);
  };
  const bool fits = x.dims.size() >= 3 && x.dims.size() <= 4 && is(0, axis_kind::batch) &&
                    x.dims[1] == x.features && is(2, is_grid ? axis_kind::lines : axis_kind::steps) &&
                    (!is_grid || is(3, axis_kind::places));
  if (!fits)
    refuse(n, std::string("expected [batch, features, ") + (is_grid ? "lines, places]" : "steps]") +
                  ", got " + said(x));
  const std::size_t rank = is_grid ? 2 : 1;
  if (is_convolution) {
    if (constant(n, 1).shape.size() < 3 || constant(n, 1).shape[1] != axes_.columns_of(x))
      refuse(n, "a kernel for other features than " + said(x) + "'s " + std::to_string(axes_.columns_of(x)));
    if (has_input(n, 2) && constant(n, 2).size() != constant(n, 1).shape[0])
      refuse(n, "a bias of another size");
  }
  const auto [kernel, strides, dilations, pads] = windows_of(n, rank, flat);
  if (attribute(n, "group", 1) != 1) refuse(n, "groups of features");
  if (attribute(n, "ceil_mode", 0) != 0) refuse(n, "ceil_mode 1");
  const auto pad = n.attributes.find("auto_pad");
  if (pad != n.attributes.end() && pad->second.text != "NOTSET" && pad->second.text != "VALID")
    refuse(n, "auto_pad " + pad->second.text);
  bool is_same = true, is_causal = !is_grid;
  for (std::size_t a = 0; a < rank; ++a) {
    const std::int64_t span = dilations[a] * (kernel[a] - 1);
    is_same = is_same && strides[a] == 1 && pads[a] + pads[a + rank] == span && pads[a] == span / 2;
    is_causal = is_causal && pads[a] == span && pads[a + rank] == 0 && span > 0;
    if (!is_same && !is_causal && pads[a] != pads[a + rank]) refuse(n, "unlike pads before and behind");
  }
  const auto both = [&](const std::vector<std::int64_t>& numbers) {
    return "<" + std::to_string(numbers[0]) + (rank == 2 ? ", " + std::to_string(numbers[1]) : "") + ">";
  };
  const std::vector<std::int64_t> ones(rank, 1);
  std::string options;
  const bool is_pool = !is_convolution;
  if (strides != (is_pool ? kernel : ones)) options += ", stride" + both(strides);
  if (dilations != ones) options += ", dilation" + both(dilations);
  if (is_causal) options += ", is_causal";
  else if (is_same && pads != std::vector<std::int64_t>(2 * rank, 0)) options += ", same_padding";
  else if (pads != std::vector<std::int64_t>(2 * rank, 0)) options += ", padding" + both(pads);
  if (n.type == "AveragePool" && pads != std::vector<std::int64_t>(2 * rank, 0) &&
      attribute(n, "count_include_pad", 0) == 0)
    refuse(n, "a mean that leaves out what is padded");
  const std::string form = is_grid ? "2d<" : "1d<", sizes = both(kernel).substr(1);
  std::vector<int> axes{x.dims[0][0]};
  edge_view made{.dims = {x.dims[0], {}}};
  for (std::size_t a = 0; a < rank; ++a) {
    const int axis = x.dims[2 + a][0];
    const read_axis& old = axes_[axis];
    const std::int64_t span = dilations[a] * (kernel[a] - 1) + 1,
                       surplus = pads[a] + pads[a + rank] - span + strides[a];
    if (old.length >= 0 && old.length + surplus < strides[a])
      refuse(n, "no window fits into " + std::to_string(old.length));
    const bool is_one_each = strides[a] == 1 && surplus == 0;
    axes.push_back(
        is_one_each ? axis : axes_.add(old.kind, old.length < 0 ? -1 : (old.length + surplus) / strides[a]));
    made.dims.push_back({axes.back()});
  }
  const std::int64_t out = is_convolution ? constant(n, 1).shape[0] : axes_.columns_of(x);
  std::string layer = is_convolution        ? "conv" + form + std::to_string(out) + ", " + sizes
                      : n.type == "MaxPool" ? "max_pool" + form + sizes
                                            : "avg_pool" + form + sizes;
  layer.insert(layer.size() - 1, options + (is_convolution && !has_input(n, 2) ? ", no_bias" : ""));
  made.edge = add_node(n, layer, {edge_of(n, x)}, axes, out, is_convolution ? n.inputs[1] : std::string());
  made.features = whole_of(made.edge).features;
  made.dims[1] = made.features;
  if (is_convolution) {
    onnx_array weight = constant(n, 1);
    weight.shape.assign({out, axes_.columns_of(x)});
    weight.shape.insert(weight.shape.end(), kernel.begin(), kernel.end());
    node_of(made.edge).parameters.emplace_back("weight", weight);
  }
  if (is_convolution && has_input(n, 2)) node_of(made.edge).parameters.emplace_back("bias", constant(n, 2));
  if (flat > 0) made.dims.insert(made.dims.begin() + static_cast<std::ptrdiff_t>(flat), std::vector<int>{});
  set_columns(n, made);
}

TENON_INLINE void catalogue::add_norm(const onnx_read_node& n) {
  const edge_view x = columns(n, 0);
  const auto found = n.attributes.find("epsilon");
  const double epsilon = found == n.attributes.end() ? 1e-5 : found->second.number;
  if (attribute(n, "axis", -1) != -1 && attribute(n, "axis", -1) != std::ssize(x.dims) - 1)
    refuse(n, "over several dimensions");
  if (x.dims.empty() || x.dims.back() != x.features) refuse(n, "over the last dimension of " + said(x));
  onnx_array weight = constant(n, 1), bias{weight.shape, std::vector<double>(weight.numbers.size(), 0)};
  if (has_input(n, 2)) bias = constant(n, 2);
  add_norm(n, x, weight, bias, epsilon, n.inputs[1]);
}
TENON_INLINE void catalogue::add_norm(const onnx_read_node& n, const edge_view& x, onnx_array weight,
                                      onnx_array bias, double epsilon, const std::string& hint) {
  if (weight.size() != axes_.columns_of(x) || bias.size() != weight.size())
    refuse(n, "its scale or bias has another size than " + said(x));
  weight.shape = bias.shape = {weight.size()};
  const bool is_usual = std::abs(epsilon - 1e-5) < 1e-10;
  const int e = add_node(n, "layer_norm", {edge_of(n, x)}, edge(x.edge).axes, axes_.columns_of(x), hint);
  onnx_layer_node& made = node_of(e);
  made.parameters = {{"weight", weight}, {"bias", bias}};
  if (!is_usual) {
    made.layer = made.name + "_norm";
    made.equation = "struct " + made.layer +
                    " : equations::symbols {\n  static constexpr auto at(auto x) { return normalize(x, " +
                    decimal(epsilon) + ") * vector<\"weight\"> + vector<\"bias\">; }\n};\n";
  }
  set_columns(n, in_place_of(x, e));
}
TENON_INLINE void catalogue::join_norm(const onnx_read_node& n) {
  const value_read& v = value_of(n.outputs.at(0));
  if (v.kind != value_kind::term) return;
  if (const std::optional<found_norm> found = norm_of(*v.expression, axes_))
    add_norm(n, found->of, found->weight, found->bias, found->epsilon, {});
}

TENON_INLINE void catalogue::add_softmax(const onnx_read_node& n) {
  if (value_read v = input(n, 0); v.kind == value_kind::scores) {
    std::int64_t axis = attribute(n, "axis", -1);
    if (axis < 0) axis += std::ssize(v.columns.dims);
    if (n.type != "Softmax" || v.columns.dims.at(static_cast<std::size_t>(axis)) != v.scores.keys.dims.back())
      refuse(n, "of products of queries and keys, not along the keys");
    v.scores.is_normal = true;
    if (has_past_end(n, true)) v.past_end = 0;  // no weight
    return set(n, v);
  }
  const edge_view x = columns(n, 0);
  std::int64_t axis = attribute(n, "axis", -1);
  if (axis < 0) axis += std::ssize(x.dims);
  if (x.dims.at(static_cast<std::size_t>(axis)) != x.features)
    refuse(n,
           "along dimension " + std::to_string(axis) + " of " + said(x) + "; only features are understood");
  const int e = add_node(n, n.type == "Softmax" ? "activation::softmax" : "activation::log_softmax",
                         {edge_of(n, x)}, edge(x.edge).axes, axes_.columns_of(x));
  set_columns(n, in_place_of(x, e));
}

// Over all columns: a part of an equation.
TENON_INLINE bool catalogue::reduce_columns(const onnx_read_node& n, const std::vector<std::int64_t>& axes) {
  const value_read& v = input(n, 0);
  if (axes.size() != 1 || v.columns.features.empty()) return false;
  const auto d = static_cast<std::size_t>(axes[0]);
  if (v.columns.dims[d] != v.columns.features) return false;
  const edge_view of = v.columns;  // stays: a row of an equation has both, columns and one number
  const auto made = std::make_shared<term>();
  made->of = {term_of(n, 0, nullptr)};
  made->type = n.type.find("Max") != std::string::npos ? "max(%0)"
               : n.type == "ReduceSum"                 ? "sum(%0)"
                                                       : "mean(%0)";
  made->depth = made->of[0]->depth + 1;
  made->operators = made->of[0]->operators + 1;
  made->is_reduced = made->is_one = true;
  set(n, {.kind = value_kind::term, .columns = of, .expression = made, .made_by = &n});
  return true;
}
TENON_INLINE void catalogue::add_reduction(const onnx_read_node& n) {
  const bool is_global = n.type.find("Global") == 0;
  const std::size_t rank = input(n, 0).columns.dims.size();
  std::vector<std::int64_t> axes;
  if (is_global)
    for (std::size_t d = 2; d < rank; ++d) axes.push_back(static_cast<std::int64_t>(d));
  else axes = axes_of(n, 1, rank);
  if ((is_global || attribute(n, "keepdims", 1) == 1) && reduce_columns(n, axes)) return;
  const edge_view x = columns(n, 0);
  const bool keeps = is_global || attribute(n, "keepdims", 1) == 1;
  std::vector<int> gone;
  edge_view made = x;
  for (std::size_t k = axes.size(); k-- > 0;) {
    const auto d = static_cast<std::size_t>(axes[k]);
    for (const int axis : x.dims[d]) gone.push_back(axis);
    if (keeps) made.dims[d].clear();
    else made.dims.erase(made.dims.begin() + axes[k]);
  }
  std::vector<int> left;
  for (const int axis : edge(x.edge).axes)
    if (std::find(gone.begin(), gone.end(), axis) == gone.end()) left.push_back(axis);
  const bool is_all = left.size() == 1 && left[0] == batch_ && gone.size() == edge(x.edge).axes.size() - 1;
  if (!is_all) refuse(n, "over a part of " + said(x) + "; only all steps, or all places, are understood");
  const bool is_largest = n.type == "ReduceMax" || n.type == "GlobalMaxPool";
  if (n.type == "ReduceMean" || n.type == "GlobalAveragePool" || !has_past_end(n, is_largest))
    needs_whole_rows(n);
  const std::string layer = n.type == "ReduceMax" || n.type == "GlobalMaxPool" ? "max_over<>"
                            : n.type == "ReduceSum"                            ? "sum_over<>"
                                                                               : "mean_over<>";
  made.edge = add_node(n, layer, {edge_of(n, x)}, left, axes_.columns_of(x));
  made.first = 0;
  set_columns(n, made);
}

}  // namespace tenon::inline v0_1::detail::onnx
