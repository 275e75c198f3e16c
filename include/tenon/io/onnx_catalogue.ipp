// The bodies of onnx_catalogue.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::detail::onnx {

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

TENON_INLINE bool catalogue::add_bias(const onnx_read_node& n) {
  for (const std::size_t k : {std::size_t(0), std::size_t(1)}) {
    if (!is_constant(n, 1 - k) || input(n, k).kind != value_kind::columns || readers_[n.inputs[k]] != 1)
      continue;
    const edge_view x = input(n, k).columns;
    if (edge(x.edge).node < 0 || !is_whole(x) || x.dims.empty() || x.dims.back() != x.features) continue;
    onnx_layer_node& product = node_of(x.edge);
    const onnx_array& bias = constant(n, 1 - k);
    const std::size_t end = product.layer.find(", no_bias>");
    if (product.layer.find("linear<") != 0 || end == std::string::npos ||
        bias.size() != edge(x.edge).columns || (!bias.shape.empty() && bias.shape.back() != bias.size()))
      continue;
    product.layer = product.layer.substr(0, end) + ">";
    product.parameters.emplace_back("bias", bias);
    product.parameters.back().second.shape = {bias.size()};
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

// The edge of a state [layers, batch, features] of one layer in one direction: an input, or `node.h_n`; -1: it is none.
TENON_INLINE int catalogue::layered_state(const edge_view& v) {
  const bool fits = v.dims.size() == 3 && v.dims[0].empty() && is_whole(v) && v.dims[2] == v.features;
  const std::string path = edge(v.edge).path;
  const std::size_t end = path.find('.');
  if (!fits || (end == std::string::npos && edge(v.edge).node >= 0)) return -1;
  if (end == std::string::npos) return v.edge;
  if (path.substr(end) != ".final") return v.edge;
  onnx_network_edge made = edge(v.edge);
  made.path = path.substr(0, end) + ".h_n";
  made_.edges.push_back(made);
  wholes_.push_back(v);
  return static_cast<int>(made_.edges.size()) - 1;
}
TENON_INLINE void catalogue::add_recurrence(const onnx_read_node& n) {
  const edge_view x = columns(n, 0);
  const onnx_array &W = constant(n, 1), &R = constant(n, 2);
  const bool is_lstm = n.type == "LSTM";
  // The gates of ONNX in PyTorch's order: i f g o of i o f c, r z n of z r h.
  const std::vector<std::int64_t> order = is_lstm           ? std::vector<std::int64_t>{0, 2, 3, 1}
                                          : n.type == "GRU" ? std::vector<std::int64_t>{1, 0, 2}
                                                            : std::vector<std::int64_t>{0};
  const auto gates = std::ssize(order);
  if (W.shape.size() != 3 || R.shape.size() != 3)
    refuse(n, "expected matrices [directions, gates, features]");
  const std::int64_t directions = W.shape[0], hidden = R.shape[2], in = W.shape[2];
  const bool has_bias = has_input(n, 3);
  const bool fits_together = (directions == 1 || directions == 2) && W.shape[1] == gates * hidden &&
                             R.shape[0] == directions && R.shape[1] == gates * hidden &&
                             (!has_bias || constant(n, 3).size() == 2 * directions * gates * hidden);
  if (!fits_together) refuse(n, "its matrices W and R and its biases B do not fit each other");
  const auto text = [&](const char* name) {
    const auto found = n.attributes.find(name);
    return found == n.attributes.end() ? std::string() : found->second.text;
  };
  const std::string direction = text("direction");
  if (direction == "reverse") refuse(n, "a recurrence that only runs backward");
  if (attribute(n, "layout", 0) != 0) refuse(n, "layout 1");
  if (n.type == "GRU" && attribute(n, "linear_before_reset", 0) != 1)
    refuse(n, "linear_before_reset 0: the catalogue's gru has its reset gate behind the product");
  if (n.attributes.contains("clip") || attribute(n, "input_forget", 0) != 0 || has_input(n, 7))
    refuse(n, "clip, input_forget and peepholes are not understood");
  const bool fits = x.dims.size() == 3 && axis_table::only(x.dims[0]) >= 0 &&
                    axes_.is(x.dims[0][0], axis_kind::steps) && axis_table::only(x.dims[1]) >= 0 &&
                    axes_.is(x.dims[1][0], axis_kind::batch) && x.dims[2] == x.features;
  if (!fits) refuse(n, "expected [steps, batch, features], got " + said(x));
  if (axes_.columns_of(x) != in)
    refuse(n, "expected " + std::to_string(in) + " features, got " + std::to_string(axes_.columns_of(x)));
  std::string layer = is_lstm ? "lstm<" : n.type == "GRU" ? "gru<" : "rnn<", more;
  const auto activations = n.attributes.find("activations");
  if (activations != n.attributes.end()) {
    const std::vector<std::string>& f = activations->second.texts;
    const std::vector<std::string> usual = is_lstm ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"}
                                           : n.type == "GRU" ? std::vector<std::string>{"Sigmoid", "Tanh"}
                                                             : std::vector<std::string>{"Tanh"};
    for (std::size_t k = 0; k < f.size(); ++k) {
      if (f[k] == usual[k % usual.size()]) continue;
      if (n.type != "RNN" || f[k] != f[0] || (f[k] != "Relu" && f[k] != "Sigmoid"))
        refuse(n, "the activation " + f[k]);
      layer = f[k] == "Relu" ? "recurrent<cells::rnn_relu, hidden<" : "recurrent<cells::rnn_sigmoid, hidden<";
      more = ">";
    }
  }
  if (!has_input(n, 4)) needs_whole_rows(n);
  else if (!is_lengths(input(n, 4)) || input(n, 4).is_sorted != (x.dims[1][0] == sorted_batch_))
    refuse(n, "lengths that are no input, or in another order than its rows");
  if (has_input(n, 4)) pair_lengths(n, x.dims[0][0], input(n, 4).columns.edge);
  std::vector<int> sources{edge_of(n, x)};
  for (std::size_t k = 5; k < (is_lstm ? 7u : 6u); ++k) {
    if (!has_input(n, k) || input(n, k).kind == value_kind::zeros) continue;
    if (is_constant(n, k) && constant(n, k).numbers == std::vector<double>(constant(n, k).numbers.size(), 0))
      continue;
    const edge_view start = columns(n, k);
    const bool is_input = is_whole(start) && start.dims.size() == 3 && axis_table::only(start.dims[0]) >= 0 &&
                          axes_.is(start.dims[0][0], axis_kind::layers);
    const int layered = is_input ? start.edge : layered_state(start);
    if (layered < 0)
      refuse(n, "an initial state that is neither an input of layers nor a last state, but " + said(start));
    sources.push_back(layered);
  }
  if (is_lstm && sources.size() == 2) refuse(n, "one initial state of two");
  layer += std::to_string(hidden) + more + (directions == 2 ? ", bidirectional" : "") +
           (has_bias ? ">" : ", no_bias>");
  const int e = add_node(n, layer, sources, edge(x.edge).axes, directions * hidden);
  const auto rows = [&](const onnx_array& from, std::int64_t first, std::int64_t width) {
    onnx_array made{width > 0 ? std::vector<std::int64_t>{gates * hidden, width}
                              : std::vector<std::int64_t>{gates * hidden}};
    const std::int64_t size = hidden * std::max<std::int64_t>(width, 1);
    for (const std::int64_t gate : order) {
      const auto at = from.numbers.begin() + first + gate * size;
      made.numbers.insert(made.numbers.end(), at, at + size);
    }
    return made;
  };
  for (std::int64_t d = 0; d < directions; ++d) {
    const std::string suffix = d == 1 ? "_l0_reverse" : "_l0";
    auto& parameters = node_of(e).parameters;
    parameters.emplace_back("weight_ih" + suffix, rows(W, d * gates * hidden * in, in));
    parameters.emplace_back("weight_hh" + suffix, rows(R, d * gates * hidden * hidden, hidden));
    if (!has_bias) continue;
    parameters.emplace_back("bias_ih" + suffix, rows(constant(n, 3), d * 2 * gates * hidden, 0));
    parameters.emplace_back("bias_hh" + suffix, rows(constant(n, 3), (2 * d + 1) * gates * hidden, 0));
  }
  // Y [steps, directions, batch, features], Y_h and Y_c [directions, batch, features].
  const int unit = axes_.add(axis_kind::features, hidden);
  std::vector<int> run, all{unit};
  if (directions == 2) {
    run = {axes_.add(axis_kind::features, directions)};
    all = {run[0], unit};
  }
  set_columns(n, {e, 0, all, {x.dims[0], run, x.dims[1], {unit}}});
  const std::string path = edge(e).path;
  const int node = edge(e).node;
  for (std::size_t k = 1; k < n.outputs.size(); ++k) {
    made_.edges.push_back({path + (k == 1 ? ".final" : ".c_n"), {batch_}, directions * hidden, node});
    const edge_view last{static_cast<int>(made_.edges.size()) - 1, 0, all, {run, x.dims[1], {unit}}};
    wholes_.push_back(last);
    set_columns(n, last, k);
  }
}

TENON_INLINE void catalogue::add_windows(const onnx_read_node& n) {
  const edge_view x = columns(n, 0);
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
  std::vector<std::int64_t> kernel = list(n, "kernel_shape"), strides = list(n, "strides"),
                            pads = list(n, "pads"), dilations = list(n, "dilations");
  if (is_convolution) {
    const std::vector<std::int64_t>& shape = constant(n, 1).shape;
    if (shape.size() != rank + 2 || shape[1] != axes_.columns_of(x))
      refuse(n, "a kernel for other features than " + said(x) + "'s " + std::to_string(axes_.columns_of(x)));
    if (has_input(n, 2) && constant(n, 2).size() != shape[0]) refuse(n, "a bias of another size");
    kernel.assign(shape.begin() + 2, shape.end());
  }
  if (kernel.size() != rank) refuse(n, "windows of another rank than " + said(x));
  if (strides.empty()) strides.assign(rank, 1);
  if (dilations.empty()) dilations.assign(rank, 1);
  if (pads.empty()) pads.assign(2 * rank, 0);
  const auto are_positive = [&](const std::vector<std::int64_t>& numbers) {
    constexpr std::int64_t most = 1 << 20;
    return numbers.size() == rank &&
           std::all_of(numbers.begin(), numbers.end(), [](std::int64_t k) { return 0 < k && k < most; });
  };
  const bool are_pads = pads.size() == 2 * rank && std::all_of(pads.begin(), pads.end(), [](std::int64_t k) {
                          return 0 <= k && k < 1 << 20;
                        });
  if (!are_positive(kernel) || !are_positive(strides) || !are_positive(dilations) || !are_pads)
    refuse(n,
           "kernel, strides, dilations or pads that are no sizes of " + std::to_string(rank) + " dimensions");
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
  if (is_convolution) node_of(made.edge).parameters.emplace_back("weight", constant(n, 1));
  if (is_convolution && has_input(n, 2)) node_of(made.edge).parameters.emplace_back("bias", constant(n, 2));
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
  if (weight.size() != axes_.columns_of(x) || bias.size() != weight.size())
    refuse(n, "its scale or bias has another size than " + said(x));
  weight.shape = bias.shape = {weight.size()};
  const bool is_usual = std::abs(epsilon - 1e-5) < 1e-10;
  const int e =
      add_node(n, "layer_norm", {edge_of(n, x)}, edge(x.edge).axes, axes_.columns_of(x), n.inputs[1]);
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

TENON_INLINE void catalogue::add_softmax(const onnx_read_node& n) {
  if (value_read v = input(n, 0); v.kind == value_kind::scores) {
    const std::int64_t axis = attribute(n, "axis", -1);
    if (n.type != "Softmax" || (axis != -1 && axis != std::ssize(v.scores.queries.dims) - 1))
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

TENON_INLINE void catalogue::add_reduction(const onnx_read_node& n) {
  const edge_view x = columns(n, 0);
  const bool is_global = n.type.find("Global") == 0;
  std::vector<std::int64_t> axes;
  if (is_global)
    for (std::size_t d = 2; d < x.dims.size(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  else axes = axes_of(n, 1, x.dims.size());
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

}  // namespace tenon::detail::onnx
