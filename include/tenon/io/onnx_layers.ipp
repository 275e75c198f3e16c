// The bodies of onnx_layers.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <utility>

namespace tenon::inline v0_1::detail {

TENON_INLINE void onnx_layers::add_rows_of_table(const ir::operation& o) {
  const std::string tokens = edge_value(o.in[0]);
  const std::string rows =
      node("Gather", {parameter(o.parameters[0]), node("Max", {tokens, whole_number(0)})},
           {{"axis", onnx::whole(0)}});
  const std::string none = unsqueezed(node("Less", {tokens, whole_number(0)}), {-1});
  values_[o.out[0]] = node("Where", {none, real(0), rows});
}

// The neighbours of each window side by side.
TENON_INLINE void onnx_layers::add_windows(const ir::operation& o) {
  const ir::edge &from = net_.edges[o.in[0]], &made = net_.edges[o.out[0]];
  const ir::time_axis& axis = net_.axes[from.axis];
  std::string x = edge_value(o.in[0]);
  if (made.axis < 0) {  // one window over all places
    values_[o.out[0]] = node("Reshape", {x, whole_numbers({0, made.size})});
    return;
  }
  const axis_of_time& steps = time_of(from.axis);
  x = with_past_end(x, from.axis, o.outside);
  const std::int64_t lines = axis.is_grid() ? axis.grid.height : 1;
  const ir::windows_along &v = o.over.vertical, &h = o.over.horizontal;
  const std::string columns = axis.is_grid() ? whole_numbers({axis.grid.width}) : steps.steps;
  const std::string grid = node("Concat", {whole_numbers({0, lines}), columns, whole_numbers({from.size})},
                                {{"axis", onnx::whole(0)}});
  x = node("Reshape", {x, grid});
  // As many places behind as the last window may ask for.
  const std::int64_t behind_v = std::max(v.behind, 0) + v.span() + v.stride,
                     behind_h = std::max(h.behind, 0) + h.span() + h.stride;
  x = node("Pad", {x, whole_numbers({0, v.before, h.before, 0, 0, behind_v, behind_h, 0}), real(o.outside)});
  const std::int64_t made_lines = axis.is_grid() ? v.count(axis.grid.height) : 1;
  const std::string count =
      axis.is_grid() ? whole_numbers({h.count(axis.grid.width)}) : time_of(made.axis).steps;
  std::vector<std::string> parts;
  for (int i = 0; i < v.size; ++i)
    for (int j = 0; j < h.size; ++j) {
      const std::int64_t top = i * v.dilation, left = j * h.dilation;
      const std::string end_h =
          node("Add", {node("Mul", {count, whole_numbers({h.stride})}), whole_numbers({left})});
      const std::string ends =
          node("Concat", {whole_numbers({top + made_lines * v.stride}), end_h}, {{"axis", onnx::whole(0)}});
      parts.push_back(node("Slice", {x, whole_numbers({top, left}), ends, whole_numbers({1, 2}),
                                     whole_numbers({v.stride, h.stride})}));
    }
  const std::string side_by_side = joined(parts, -1);
  values_[o.out[0]] = node("Reshape", {side_by_side, whole_numbers({0, -1, made.size})});
}

TENON_INLINE int onnx_layers::add_layer(int k) {
  const ir::operation_traits& kind = ir::traits_of(net_.operations[k].kind);
  if (kind.is_loop) return add_recurrence(k);
  if (!kind.reads_neighbours) return 0;
  const int added = add_convolution(k);
  return added > 0 ? added : add_pool(k);
}

TENON_INLINE std::string onnx_layers::rows_of_gates(const std::vector<const ir::operation*>& runs,
                                                    const std::vector<int>& symbols) const {
  std::string bytes;
  for (const ir::operation* const o : runs)
    for (const int s : symbols) {
      const ir::stored_symbol at = ir::find_stored(net_, *o, s);
      bytes += bytes_of(at.parameter, at.first, net_.programs[o->program].symbols[s].elements());
    }
  return bytes;
}

// Both directions of a layer are one node.
TENON_INLINE int onnx_layers::add_recurrence(int k) {
  const ir::operation& o = net_.operations[k];
  const ir::program_view& p = net_.programs[o.program];
  const int states = o.out.size - 1;
  const bool takes_more = o.in.size > 1 + states;
  if (takes_more || o.in.empty() || o.in[0] < 0 || net_.edges[o.in[0]].is_token()) return 0;
  const onnx::recurrent_operator found = onnx::recurrence(p);
  if (!found.of) return 0;
  const int hidden = p.inputs[1];
  std::vector<const ir::operation*> runs{&o};
  if (!o.reversed && k + 1 < net_.operations.size) {
    const ir::operation& next = net_.operations[k + 1];
    const ir::edge& y = net_.edges[o.out[0]];
    if (next.kind == o.kind && next.program == o.program && next.reversed && next.in[0] == o.in[0] &&
        y.whole >= 0 && net_.edges[next.out[0]].whole == y.whole && y.column == 0 &&
        net_.edges[next.out[0]].column == hidden && net_.edges[y.whole].size == 2 * hidden)
      runs.push_back(&next);
  }
  const auto directions = onnx::whole(std::ssize(runs)), gates = onnx::whole(std::ssize(found.gates));
  const auto group = [&](int n) {
    std::vector<int> symbols;
    for (const int gate : found.gates)
      symbols.push_back(found.of.symbols[static_cast<std::size_t>(n * static_cast<int>(gates) + gate)]);
    return symbols;
  };
  const ir::stored_symbol first = ir::find_stored(net_, o, group(0)[0]);
  std::string name = onnx::text_of(net_.parameters[first.parameter].path.view());
  if (const std::size_t end = name.rfind("weight_ih_"); end != std::string::npos) name.erase(end, 10);
  tensor(name + ".W", {directions, gates * hidden, p.inputs[0]}, rows_of_gates(runs, group(0)));
  tensor(name + ".R", {directions, gates * hidden, hidden}, rows_of_gates(runs, group(1)));
  if (found.has_biases) {
    std::string biases;
    for (const ir::operation* const run : runs)
      biases += rows_of_gates({run}, group(2)) + rows_of_gates({run}, group(3));
    tensor(name + ".B", {directions, 2 * gates * hidden}, std::move(biases));
  }
  const axis_of_time& time = time_of(net_.edges[o.in[0]].axis);
  std::vector<std::string> sources{
      transposed(edge_value(o.in[0]), {1, 0, 2}), name + ".W", name + ".R",
      found.has_biases ? name + ".B" : std::string(),
      node("Cast", {time.lengths}, {{"to", onnx::whole(static_cast<int>(onnx_type::int32))}})};
  const bool has_start = o.in.size > 1 && o.in[1] >= 0;
  for (int s = 0; s < states && has_start; ++s) {
    std::vector<std::string> starts;
    for (const ir::operation* const run : runs) starts.push_back(unsqueezed(edge_value(run->in[1 + s]), {0}));
    sources.push_back(joined(starts, 0));
  }
  std::vector<std::string> results;
  for (int s = 0; s < states; ++s) results.push_back(fresh("last_state"));
  results.insert(results.begin(), fresh(found.type));
  std::vector<onnx_attribute> attributes{{"hidden_size", onnx::whole(hidden)},
                                         {"direction", std::string_view(directions == 2 ? "bidirectional"
                                                                        : o.reversed    ? "reverse"
                                                                                        : "forward")}};
  if (found.type == std::string_view("GRU")) attributes.emplace_back("linear_before_reset", onnx::whole(1));
  if (found.activation != nullptr)
    attributes.emplace_back("activations", std::vector<std::string>(runs.size(), found.activation));
  node_of_outputs(results, found.type, sources, attributes);

  const bool is_merged = directions == 2;  // [steps, directions, batch, features]
  values_[is_merged ? net_.edges[o.out[0]].whole : o.out[0]] =
      is_merged ? node("Reshape", {transposed(results[0], {2, 0, 1, 3}), whole_numbers({0, 0, 2 * hidden})})
                : transposed(squeezed(results[0], {1}), {1, 0, 2});
  for (int s = 0; s < states; ++s)
    for (std::int64_t d = 0; d < directions; ++d) {
      const ir::operation& run = *runs[static_cast<std::size_t>(d)];
      std::string last = squeezed(sliced(results[static_cast<std::size_t>(1 + s)], 0, d, d + 1), {0});
      if (has_start) {  // a row without steps keeps its state
        const std::string goes_on = unsqueezed(node("Greater", {time.lengths, whole_number(0)}), {1});
        last = node("Where", {goes_on, last, edge_value(run.in[1 + s])});
      }
      values_[run.out[1 + s]] = last;
    }
  return static_cast<int>(runs.size());
}

TENON_INLINE const ir::operation* onnx_layers::reader_of_windows(int k) const {
  const ir::operation& windows = net_.operations[k];
  if (k + 1 == net_.operations.size || readers_of(windows.out[0]) != 1) return nullptr;
  const ir::operation& next = net_.operations[k + 1];
  const bool reads =
      ir::traits_of(next.kind).is_equation && next.in.size == 1 && next.in[0] == windows.out[0];
  const ir::windows_along &v = windows.over.vertical, &h = windows.over.horizontal;
  return reads && v.before >= 0 && v.behind >= 0 && h.before >= 0 && h.behind >= 0 ? &next : nullptr;
}

TENON_INLINE std::string onnx_layers::places_last(const ir::operation& windows, double outside) {
  const ir::edge& from = net_.edges[windows.in[0]];
  const std::string x = transposed(with_past_end(edge_value(windows.in[0]), from.axis, outside), {0, 2, 1});
  return from.is_grid() ? node("Reshape", {x, whole_numbers({0, 0, from.grid.height, from.grid.width})}) : x;
}
TENON_INLINE void onnx_layers::places_back(const ir::operation& windows, const ir::operation& o,
                                           const std::string& y) {
  const ir::edge& made = net_.edges[o.out[0]];
  if (made.axis < 0) {  // one window over everything
    values_[o.out[0]] = node("Reshape", {y, whole_numbers({0, made.size})});
    return;
  }
  const bool is_grid = net_.edges[windows.in[0]].is_grid();
  values_[o.out[0]] =
      transposed(is_grid ? node("Reshape", {y, whole_numbers({0, made.size, -1})}) : y, {0, 2, 1});
}
TENON_INLINE std::vector<onnx_attribute> onnx_layers::attributes_of(const ir::operation& windows) const {
  const bool is_grid = net_.edges[windows.in[0]].is_grid();
  const auto of_both = [&](int ir::windows_along::*number) {
    std::vector<std::int64_t> numbers;
    if (is_grid) numbers.push_back(windows.over.vertical.*number);
    numbers.push_back(windows.over.horizontal.*number);
    return numbers;
  };
  using along = ir::windows_along;
  std::vector<std::int64_t> pads = of_both(&along::before);
  for (const std::int64_t behind : of_both(&along::behind)) pads.push_back(behind);
  return {{"kernel_shape", of_both(&along::size)},
          {"strides", of_both(&along::stride)},
          {"dilations", of_both(&along::dilation)},
          {"pads", pads}};
}

// Tenon has the features of each place side by side, ONNX the places of each feature.
TENON_INLINE int onnx_layers::add_convolution(int k) {
  const ir::operation& windows = net_.operations[k];
  const ir::operation* const o = reader_of_windows(k);
  if (o == nullptr || !onnx::is_affine(net_.programs[o->program])) return 0;
  const int p = o->parameters[0], features = net_.edges[windows.in[0]].size;
  const ir::parameter& weight = net_.parameters[p];
  if (weight.kernel_width == 0 || weight.tied_to >= 0) return 0;
  for (const ir::parameter& other : net_.parameters)
    if (other.tied_to == p) return 0;
  const int places = windows.over.size();
  const std::string_view stored = bytes_of(p, 0, weight.elements());
  std::string bytes;
  for (int row = 0; row < weight.rows; ++row)
    for (int feature = 0; feature < features; ++feature)
      for (int at = 0; at < places; ++at)
        bytes += stored.substr(
            static_cast<std::size_t>((row * places + at) * features + feature) * net_.bytes_of_number,
            net_.bytes_of_number);
  std::vector<std::int64_t> shape{weight.rows, features};
  if (net_.edges[windows.in[0]].is_grid()) shape.push_back(windows.over.vertical.size);
  shape.push_back(windows.over.horizontal.size);
  const std::string name = onnx::text_of(weight.path.view());
  tensor(name, shape, std::move(bytes));
  std::vector<std::string> sources{places_last(windows, 0), name};
  if (o->parameters.size > 1) sources.push_back(parameter(o->parameters[1]));
  places_back(windows, *o, node("Conv", sources, attributes_of(windows)));
  return 2;
}

TENON_INLINE int onnx_layers::add_pool(int k) {
  const ir::operation& windows = net_.operations[k];
  const ir::operation* const o = reader_of_windows(k);
  if (o == nullptr) return 0;
  const ir::windows_along &v = windows.over.vertical, &h = windows.over.horizontal;
  const bool is_padded = v.is_padded() || h.is_padded();
  const auto sees_something = [](const ir::windows_along& w) {
    return std::max(w.before, w.behind) < w.span();
  };
  if (!sees_something(v) || !sees_something(h)) return 0;
  const onnx::pool found = onnx::pool_over(net_.programs[o->program], windows.over.size(), is_padded);
  std::vector<onnx_attribute> attributes = attributes_of(windows);
  if (found == onnx::pool::mean && v.dilation == 1 && h.dilation == 1) {
    attributes.erase(attributes.begin() + 2);  // of opset 19 and later
    attributes.emplace_back("count_include_pad", onnx::whole(1));
    places_back(windows, *o, node("AveragePool", {places_last(windows, 0)}, attributes));
  } else if (found == onnx::pool::largest) {
    places_back(windows, *o, node("MaxPool", {places_last(windows, windows.outside)}, attributes));
  } else {
    return 0;
  }
  return 2;
}

}  // namespace tenon::inline v0_1::detail
