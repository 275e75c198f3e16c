// The bodies of onnx_import.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/io/file.hpp"
#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace tenon::inline v0_1::detail {

namespace onnx {

TENON_INLINE void importer::add_inputs() {
  const auto name_of_steps = [](const onnx_read_dimension& d) {
    return d.name.empty() ? std::to_string(d.number) : d.name;
  };
  std::map<std::string, int> steps_by_name;
  std::vector<std::string> steps_order, labels;  // each axis of steps once, and the input that first has it
  for (std::size_t k = 0; k < inputs_.size(); ++k)
    for (std::size_t d = 0; d < inputs_[k].size(); ++d) {
      const std::string name = name_of_steps(model_.graph.inputs[k].shape[d]);
      if (inputs_[k][d] == axis_kind::steps &&
          std::find(steps_order.begin(), steps_order.end(), name) == steps_order.end())
        steps_order.push_back(name);
    }
  std::int64_t rows = 0;  // of an example's batch, if the file has its number; -1: any number
  for (std::size_t k = 0; k < inputs_.size(); ++k)
    for (std::size_t d = 0; d < inputs_[k].size(); ++d)
      if (const std::int64_t here = model_.graph.inputs[k].shape[d].number; inputs_[k][d] == axis_kind::batch)
        rows = rows == 0 || rows == here ? here : -1;
  batch_ = axes_.add(axis_kind::batch, rows == 0 ? -1 : rows, "batch");
  sorted_batch_ = axes_.add(axis_kind::batch, rows == 0 ? -1 : rows, "batch");
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const onnx_read_value& v = model_.graph.inputs[k];
    edge_view whole{.edge = static_cast<int>(made_.edges.size())};
    onnx_network_edge made{.path = unused_name(v.name), .is_token = v.is_whole};
    std::string entry;
    std::int64_t lines = 0, layers = 0, places = 0;
    for (std::size_t d = 0; d < inputs_[k].size(); ++d) {
      const std::int64_t length = v.shape[d].number;
      int axis = batch_;
      switch (inputs_[k][d]) {
        case axis_kind::batch:
          break;
        case axis_kind::steps: {
          const std::string name = name_of_steps(v.shape[d]);
          const auto found = steps_by_name.find(name);
          axis = found != steps_by_name.end() ? found->second : axes_.add(axis_kind::steps, length, name);
          if (found == steps_by_name.end()) labels.push_back(clean_name(v.name));
          steps_by_name[name] = axis;
          const std::string
              bound = length > 0 ? std::to_string(length) : "most_steps",
              label = labels[static_cast<std::size_t>(std::distance(
                  steps_order.begin(), std::find(steps_order.begin(), steps_order.end(), name)))];
          entry = "steps<" + bound + (steps_order.size() > 1 ? ", \"" + label + "\">" : ">");
          if (length < 0 && (made_.sizes.empty() || made_.sizes[0].first != "most_steps"))
            made_.sizes.insert(made_.sizes.begin(), {"most_steps", most_steps_});
          break;
        }
        case axis_kind::lines:
          axis = axes_.add(axis_kind::lines, lines = length);
          break;
        case axis_kind::places:
          axis = axes_.add(axis_kind::places, places = length);
          break;
        case axis_kind::layers:
          axis = axes_.add(axis_kind::layers, layers = length);
          break;
        case axis_kind::features:
          axis = axes_.add(axis_kind::features, made.columns = length);
          whole.features = {axis};
          break;
      }
      if (inputs_[k][d] != axis_kind::features) made.axes.push_back(axis);
      whole.dims.push_back({axis});
    }
    std::sort(made.axes.begin(), made.axes.end());
    if (lines > 0) entry = "grid<" + std::to_string(lines) + ", " + std::to_string(places) + ">";
    if (layers > 0) entry = "layers<" + std::to_string(layers) + ">";
    if (made.columns > 0)
      entry = "features<" + std::to_string(made.columns) + ">" + (entry.empty() ? "" : ", " + entry);
    made_.inputs.push_back({whole.edge, entry});
    made_.edges.push_back(made);
    wholes_.push_back(whole);
    values_[v.name] = {.kind = value_kind::columns, .columns = whole};
  }
}

TENON_INLINE onnx_network importer::network() {
  for (const auto& [name, c] : model_.graph.constants) {
    value_read v{.kind = c.is_whole ? value_kind::sizes : value_kind::constant,
                 .constant = c,
                 .is_list = !c.shape.empty()};
    if (c.is_whole)
      for (const std::int64_t k : c.integers) v.sizes.push_back({k});
    values_[name] = v;
  }
  for (const onnx_read_node& n : model_.graph.nodes) {
    for (const std::string& name : n.inputs) ++readers_[name];
    for (const std::string& name : n.outputs) makers_[name] = &n;
  }
  for (const onnx_read_value& v : model_.graph.outputs) ++readers_[v.name];
  add_inputs();
  for (const onnx_read_node& n : model_.graph.nodes) {
    try {
      add(n);
    } catch (const std::out_of_range&) {
      refuse(n, "a list of sizes or axes is shorter than the node needs");
    }
    ++understood_;
  }
  join_heads();
  join_directions();
  add_outputs();
  for (const onnx_network_input& i : made_.inputs)
    for (const onnx_layer_node& reader : made_.nodes)
      if (i.is_lengths &&
          std::find(reader.sources.begin(), reader.sources.end(), i.edge) != reader.sources.end())
        throw not_understood{"'" + edge(i.edge).path + "' is the lengths of rows, and node '" + reader.name +
                             "' reads it, too"};
  for (const onnx_network_input& i : made_.inputs)
    if (i.is_lengths && !needs_whole_rows_.empty())
      throw not_understood{needs_whole_rows_ + ": sees what is past the end of rows, which have lengths"};
  made_.prune();
  made_.shorten("_out_proj");  // of multi_head
  for (std::size_t k = 0; k < made_.outputs.size(); ++k)
    made_.rename(made_.outputs[k], clean_name(model_.graph.outputs[k].name));
  for (const onnx_network_input& i : made_.inputs)
    if (!i.is_lengths && edge(i.edge).is_token && i.entry.find("token<") == std::string::npos)
      throw not_understood{"input '" + edge(i.edge).path +
                           "': no table says how many values its tokens have"};
  return std::move(made_);
}

TENON_INLINE void importer::add(const onnx_read_node& n) {
  const std::string& t = n.type;
  if (t == "Loop") return add_loop(n);
  if (add_reversed(n) || move(n)) return;
  if (t == "MatMul" || t == "Gemm") add_product(n);
  else if (t == "LSTM" || t == "GRU" || t == "RNN") add_recurrence(n);
  else if (t == "Conv" || t == "MaxPool" || t == "AveragePool") add_windows(n);
  else if (t == "LayerNormalization") add_norm(n);
  else if (t == "Softmax" || t == "LogSoftmax") add_softmax(n);
  else if (t == "ReduceMax" || t == "ReduceMean" || t == "ReduceSum" || t == "GlobalAveragePool" ||
           t == "GlobalMaxPool")
    add_reduction(n);
  else if (t == "Add" && add_bias(n)) return;
  else if (elementwise(n)) join_norm(n);
  else refuse(n, "this operator is not understood");
}

TENON_INLINE void importer::add_product(const onnx_read_node& n) {
  const auto number = [&](const char* name) {
    const auto found = n.attributes.find(name);
    return found == n.attributes.end() ? 1 : found->second.number;
  };
  if (!is_constant(n, 1)) return input(n, 0).kind == value_kind::scores ? add_attended(n) : add_scores(n);
  const onnx_array& b = constant(n, 1);
  if (b.shape.size() != 2)
    refuse(n, "expected a matrix, got a constant of " + std::to_string(b.shape.size()) + " dimensions");
  const bool is_gemm = n.type == "Gemm";
  if (is_gemm && (number("alpha") != 1 || number("beta") != 1 || attribute(n, "transA", 0) != 0))
    refuse(n, "only alpha 1, beta 1 and transA 0 are understood");
  const bool is_turned = is_gemm && attribute(n, "transB", 0) == 1;
  std::optional<onnx_array> bias;
  if (is_gemm && has_input(n, 2)) {
    bias = constant(n, 2);
    bias->shape = {bias->size()};
  }
  add_linear(n, columns(n, 0), is_turned ? b : transposed_matrix(b), bias ? &*bias : nullptr,
             n.inputs[is_gemm && has_input(n, 2) ? 2 : 1]);
}

TENON_INLINE void importer::add_outputs() {
  for (const onnx_read_value& v : model_.graph.outputs) {
    const onnx_read_node n{.type = "output", .name = v.name, .inputs = {v.name}};
    const edge_view x = columns(n, 0);
    const int layered = layered_state(x), e = layered >= 0 ? layered : edge_of(n, x);
    std::vector<int> order;
    for (const std::vector<int>& d : x.dims)
      if (std::find(d.begin(), d.end(), sorted_batch_) != d.end())
        refuse(n, "its rows are in the order of their lengths");
    for (const std::vector<int>& d : x.dims)
      for (const int axis : d)
        if (axes_.is(axis, axis_kind::features)) order.push_back(axis);
    if (order != x.features) refuse(n, "has the features of " + said(x) + " in another order");
    made_.outputs.push_back(e);
  }
}

}  // namespace onnx

TENON_INLINE onnx_network import_onnx(const onnx_model& model, int most_steps, const std::string& title) {
  using onnx::axis_kind;
  // What an input may be, the usual first.
  const auto choices = [&](const onnx_read_value& v) -> std::vector<onnx::input_axes> {
    const auto b = axis_kind::batch, t = axis_kind::steps, f = axis_kind::features;
    const std::size_t rank = v.shape.size();
    if (v.is_whole && rank == 1) return {{b}};
    if (v.is_whole && rank == 2) return {{b, t}, {t, b}};
    if (rank == 2) return {{b, f}};
    if (rank == 3) return {{b, t, f}, {t, b, f}, {b, f, t}, {axis_kind::layers, b, f}};
    if (rank == 4)
      return {{b, f, axis_kind::lines, axis_kind::places}, {b, axis_kind::lines, axis_kind::places, f}};
    throw_data_error(model.path, {"input '", v.name, "' has ", std::to_string(rank),
                                  " dimensions; a network's have 1 to 4"});
  };
  std::vector<std::vector<onnx::input_axes>> all;
  for (const onnx_read_value& v : model.graph.inputs) all.push_back(choices(v));
  std::vector<std::size_t> chosen(all.size(), 0);
  std::string first_problem;
  std::size_t furthest = 0;
  for (int tries = 0; tries < 200; ++tries) {
    std::vector<onnx::input_axes> axes;
    bool fits = true;
    for (std::size_t k = 0; k < all.size(); ++k) {
      axes.push_back(all[k][chosen[k]]);
      for (std::size_t d = 0; d < axes[k].size(); ++d)
        fits = fits && (axes[k][d] == axis_kind::batch || axes[k][d] == axis_kind::steps ||
                        model.graph.inputs[k].shape[d].number > 0);
    }
    if (fits) {
      onnx::importer reader(model, most_steps, axes);
      try {
        onnx_network made = reader.network();
        made.title = title;
        return made;
      } catch (const onnx::not_understood& problem) {
        if (problem.steps > 0) {  // an exporter wrote the number of steps of its example into the file
          onnx_model fixed = model;
          bool is_changed = false;
          for (onnx_read_value& v : fixed.graph.inputs)
            for (onnx_read_dimension& d : v.shape)
              if (d.number < 0 && d.name == problem.axis) {
                d.number = problem.steps;
                is_changed = true;
              }
          if (is_changed) return import_onnx(fixed, most_steps, title);
        }
        if (first_problem.empty() || reader.understood() > furthest) {
          first_problem = problem.reason;
          furthest = reader.understood();
        }
      }
    }
    std::size_t k = 0;
    for (; k < all.size() && ++chosen[k] == all[k].size(); ++k) chosen[k] = 0;
    if (k == all.size()) break;
  }
  throw_data_error(model.path,
                   {first_problem.empty() ? "its inputs have features of unknown number" : first_problem});
}

}  // namespace tenon::inline v0_1::detail
