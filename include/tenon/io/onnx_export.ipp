// The bodies of onnx_export.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <set>
#include <utility>

namespace tenon::inline v0_1::detail {

TENON_INLINE void onnx_export::add_inputs() {
  for (const int e : net_.inputs) {
    const ir::edge& edge = net_.edges[e];
    const std::string name = onnx::text_of(edge.path.view());
    graph_.add(11, onnx_value(name, edge.is_token() ? onnx_type::int64 : net_.type, shape_of(edge)));
    if (batch_.empty()) {
      const std::int64_t at = edge.layers > 1 ? 1 : 0;
      batch_ = node("Shape", {name}, {{"start", at}, {"end", at + 1}});
    }
    values_[e] = name;
    if (edge.is_grid()) {  // lines and places are one axis
      const std::vector<std::int64_t> places =
          edge.is_token() ? std::vector<std::int64_t>{0, edge.grid.places()}
                          : std::vector<std::int64_t>{0, edge.grid.places(), edge.size};
      values_[e] = node("Reshape", {name, whole_numbers(places)});
    }
  }
}

// The steps of each axis, the lengths of its rows, and which steps a row has.
TENON_INLINE void onnx_export::add_axes() {
  for (int a = 0; a < net_.axes.size; ++a) {
    const ir::time_axis& axis = net_.axes[a];
    axis_of_time mine;
    std::string first;
    for (const int e : net_.inputs)
      if (first.empty() && net_.edges[e].axis == a) first = onnx::text_of(net_.edges[e].path.view());
    if (axis.is_grid()) {
      mine.steps = whole_numbers({axis.grid.places()});
      mine.lengths = node("Expand", {mine.steps, batch_});
    } else if (axis.from >= 0) {
      const ir::windows_along& w = axis.made.horizontal;
      const auto windows_over = [&](const std::string& places) {
        const std::string windows =
            node("Div", {node("Add", {places, whole_numbers({w.surplus()})}), whole_numbers({w.stride})});
        const std::string none = node("LessOrEqual", {places, whole_numbers({0})});
        return node("Where", {none, whole_numbers({0}), node("Max", {windows, whole_numbers({0})})});
      };
      mine.steps = windows_over(time_of(axis.from).steps);
      mine.lengths = windows_over(time_of(axis.from).lengths);
    } else if (!first.empty()) {
      mine.steps = node("Shape", {first}, {{"start", onnx::whole(1)}, {"end", onnx::whole(2)}});
      mine.lengths = first + ".lengths";
      graph_.add(11, onnx_value(mine.lengths, onnx_type::int64, {{0, "batch"}}));
    } else {
      mine.steps = whole_numbers({axis.bound});
      mine.lengths = node("Expand", {whole_numbers({axis.bound}), batch_});
    }
    if (!axis.is_grid()) {  // whose rows have all places
      const std::string numbers =
          node("Range", {whole_number(0), squeezed(mine.steps, {0}), whole_number(1)});
      mine.mask = node("Less", {unsqueezed(numbers, {0}), unsqueezed(mine.lengths, {1})});
    }
    axes_.push_back(mine);
  }
}

TENON_INLINE void onnx_export::add_equation(const ir::operation& o, const place& at) {
  const ir::program_view& p = net_.programs[o.program];
  std::vector<value> inputs;
  const int passed = p.inputs.size - p.own.size;
  bool is_plain = has_equal_axes(p) && passed > 0;
  const auto has_same_axes = [&](const ir::edge& e) {
    return !e.is_token() && e.axis == net_.edges[o.in[0]].axis;
  };
  for (int i = 0; i < passed; ++i) is_plain = is_plain && has_same_axes(net_.edges[o.in[i]]);
  for (int k = 0; k < o.out.size; ++k)
    is_plain = is_plain && has_same_axes(net_.edges[o.out[k]]) &&
               p.code[p.outputs[k]].size == net_.edges[o.out[k]].size;
  place here = at;
  if (is_plain) here.rank = net_.edges[o.in[0]].axis < 0 ? 2 : 3;
  for (int i = 0; i < passed; ++i) {
    const domain where = i < p.varies.size ? p.varies[i] : domain::rows;
    inputs.push_back(is_plain ? value{edge_value(o.in[i]), where, net_.edges[o.in[i]].size}
                              : of_edge(o.in[i], where));
  }
  const std::vector<value> outputs = translate(p, inputs, here);
  for (int k = 0; k < o.out.size; ++k) {
    const value& made = outputs[static_cast<std::size_t>(k)];
    values_[o.out[k]] = is_plain ? made.name : to_edge(made, net_.edges[o.out[k]], at);
  }
}

// [steps, batch]: does a row have the step?
TENON_INLINE std::string onnx_export::goes_on_in(const axis_of_time& time) {
  if (!time.mask.empty()) return transposed(time.mask, {1, 0});
  const std::string numbers = node("Range", {whole_number(0), squeezed(time.steps, {0}), whole_number(1)});
  return node("Less", {unsqueezed(numbers, {1}), unsqueezed(time.lengths, {0})});
}

// A step of the loop is the body; a row that has ended keeps its states.
TENON_INLINE void onnx_export::add_scan(const ir::operation& o, const place& at) {
  const ir::program_view& p = net_.programs[o.program];
  const int states = o.out.size - 1, passed = p.inputs.size - p.own.size;
  const axis_of_time& time = time_of(at.axis_of(dimension::time));
  const std::string steps = time.steps;
  std::vector<std::string> starts, scanned{goes_on_in(time)};
  onnx_message body;
  const std::string prefix = onnx::text_of(o.path.view()) + "/body/";
  const auto body_input = [&](const std::string& name, onnx_type type, const onnx_shape& shape) {
    body.add(11, onnx_value(prefix + name, type, shape));
    return prefix + name;
  };
  std::vector<std::string> before;
  for (int s = 0; s < states; ++s) {
    const int size = p.inputs[1 + s], from = s + 1 < o.in.size ? o.in[1 + s] : -1;
    starts.push_back(from >= 0 ? edge_value(from)
                               : node("Expand", {real(0), node("Concat", {batch_, whole_numbers({size})},
                                                               {{"axis", onnx::whole(0)}})}));
    before.push_back(body_input("state_" + std::to_string(s), net_.type, {{0, "batch"}, {size, ""}}));
  }
  const std::string goes_on = body_input("goes_on", onnx_type::boolean, {{0, "batch"}});
  const bool has_x = !o.in.empty() && o.in[0] >= 0;
  std::vector<value> inputs;
  std::string x;
  if (has_x) {
    const ir::edge& from = net_.edges[o.in[0]];
    std::string whole = edge_value(o.in[0]);
    if (from.is_token()) whole = unsqueezed(as_numbers(whole), {-1});
    scanned.push_back(transposed(whole, {1, 0, 2}));
    x = body_input("x", net_.type, {{0, "batch"}, {from.is_token() ? 1 : from.size, ""}});
  }
  bool counts = false;
  for (const ir::own_number& own : p.own) counts = counts || own.kind == ir::own_input::position;
  std::string position;
  if (counts) {
    scanned.push_back(node("Range", {whole_number(0), squeezed(steps, {0}), whole_number(1)}));
    position = body_input("position", onnx_type::int64, {});
  }
  std::vector<value> constants(static_cast<std::size_t>(passed));
  for (int i = 1 + states; i < passed; ++i)
    constants[static_cast<std::size_t>(i)] =
        of_edge(o.in[i], i < p.varies.size ? p.varies[i] : domain::batch);

  onnx_node_list nodes;
  onnx_node_list* const around = std::exchange(nodes_, &nodes);
  place inner = at;
  inner.in_scan = true;
  if (has_x) inputs.push_back({unsqueezed(x, {1, 2}), domain::rows, p.inputs[0]});
  else if (passed > 0) inputs.push_back({real(0), domain::free, p.inputs[0]});
  for (int s = 0; s < states; ++s)
    inputs.push_back(
        {unsqueezed(before[static_cast<std::size_t>(s)], {1, 2}), domain::rows, p.inputs[1 + s]});
  for (int i = 1 + states; i < passed; ++i) inputs.push_back(constants[static_cast<std::size_t>(i)]);
  if (counts) body_position_ = unsqueezed(as_numbers(position), {0, 1, 2, 3});
  const std::vector<value> made = translate(p, inputs, inner);
  std::vector<std::string> made_by_body;
  const std::string stays = unsqueezed(goes_on, {1});
  const auto of_row = [&](int k) {
    const value& v = made[static_cast<std::size_t>(k)];
    const int size = net_.programs[o.program].code[p.outputs[k]].size;
    const std::string full =
        v.where == domain::free || v.size != size ? expanded(v, domain::batch, size, inner) : v.name;
    return squeezed(full, {1, 2});
  };
  for (int s = 0; s < states; ++s) {
    const std::string after = prefix + "state_" + std::to_string(s) + "_after";
    node_named(after, "Where", {stays, of_row(1 + s), before[static_cast<std::size_t>(s)]});
    made_by_body.push_back(after);
    body.add(12, onnx_value(after, net_.type, {{0, "batch"}, {p.inputs[1 + s], ""}}));
  }
  const std::string y = prefix + "y";
  made_by_body.push_back(y);
  node_named(y, "Where", {stays, of_row(0), real(0)});
  body.add(12, onnx_value(y, net_.type, {{0, "batch"}, {net_.edges[o.out[0]].size, ""}}));
  body.add(2, std::string_view(prefix + "step"));
  nodes_ = around;

  std::set<std::string> reads;  // inputs of the body, and names of the graph around it
  onnx_message whole = needed(nodes, made_by_body, reads);  // nodes first, as the order of fields is free
  whole.append(body.bytes());
  const std::int64_t direction = o.reversed ? 1 : 0;
  std::vector<std::string> sources = starts, results;
  sources.insert(sources.end(), scanned.begin(), scanned.end());
  for (int s = 0; s < states; ++s) results.push_back(fresh("last_state"));
  const std::string all = fresh("Scan");
  results.push_back(all);
  node_of_outputs(results, "Scan", sources,
                  {{"body", whole},
                   {"num_scan_inputs", onnx::whole(std::ssize(scanned))},
                   {"scan_input_directions", std::vector<std::int64_t>(scanned.size(), direction)},
                   {"scan_output_directions", std::vector<std::int64_t>{direction}}},
                  {reads.begin(), reads.end()});
  values_[o.out[0]] = transposed(all, {1, 0, 2});
  for (int s = 0; s < states; ++s) values_[o.out[1 + s]] = results[static_cast<std::size_t>(s)];
}

TENON_INLINE int onnx_export::add_operation(int k) {
  const ir::operation& o = net_.operations[k];
  path_ = onnx::text_of(o.path.view());
  if (const int added = add_layer(k); added > 0) return added;
  int axis = o.axis;
  for (const int e : o.in)
    if (axis < 0 && e >= 0) axis = net_.edges[e].axis;
  const place at{o, {axis, o.inner}};
  const ir::operation_traits& kind = ir::traits_of(o.kind);
  if (kind.is_table) add_rows_of_table(o);
  else if (kind.reads_neighbours) add_windows(o);
  else if (kind.is_equation) add_equation(o, at);
  else if (kind.is_loop) add_scan(o, at);
  else if (kind.passes_on) values_[o.out[0]] = edge_value(o.in[0]);  // a loss is left out
  return 1;
}

TENON_INLINE void onnx_export::add_outputs() {
  for (int n = 0; n < net_.outputs.size; ++n) {
    const int e = net_.outputs[n];
    const ir::edge& edge = net_.edges[e];
    const std::string name = onnx::text_of(net_.output_names[n].view());
    for (const int input : net_.inputs)
      if (onnx::text_of(net_.edges[input].path.view()) == name)
        throw input_error(
            "save_onnx: '" + name +
            "' is an input and an output, and ONNX wants two names; give the output a node of its own");
    std::string y = edge_value(e);
    if (edge.axis >= 0) y = with_past_end(y, edge.axis, 0);
    if (edge.is_grid())
      node_named(name, "Reshape", {y, whole_numbers({0, edge.grid.height, edge.grid.width, edge.size})});
    else node_named(name, "Identity", {y});
    graph_.add(12, onnx_value(name, net_.type, shape_of(edge)));
  }
}

TENON_INLINE onnx_files onnx_export::files(std::size_t most, const std::string& data_file) {
  add_inputs();
  add_axes();
  for (int k = 0; k < net_.operations.size;) k += add_operation(k);
  path_.clear();
  add_outputs();
  std::vector<std::string> outputs;
  for (const ir::name& name : net_.output_names) outputs.push_back(onnx::text_of(name.view()));
  std::set<std::string> constants;
  onnx_message whole = needed(main_, outputs, constants), opset, model;
  onnx_files made;
  graph_.add(2, std::string_view(net_.title));
  whole.append(graph_.bytes());
  whole.append(constants_among(constants, most, data_file, made.data).bytes());
  opset.add(1, std::string_view());
  opset.add(2, onnx::whole(opset_));
  model.add(1, onnx_ir_version(opset_));
  model.add(8, opset);
  model.add(2, std::string_view("Tenon"));
  model.add(7, whole);
  made.model = model.bytes();
  return made;
}

}  // namespace tenon::inline v0_1::detail
