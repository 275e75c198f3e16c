// The bodies of onnx_import.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/io/file.hpp"
#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace tenon::detail {

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
  if (add_reversed(n) || move(n)) return;
  const std::string& t = n.type;
  if (t == "MatMul" || t == "Gemm") add_product(n);
  else if (t == "LSTM" || t == "GRU" || t == "RNN") add_recurrence(n);
  else if (t == "Loop") add_loop(n);
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

// Are the dimensions in front of the last two the same rows, and heads of equal number, in order?
TENON_INLINE bool importer::have_same_heads(const edge_view& a, const edge_view& b) const {
  if (a.features.size() != b.features.size() || a.dims.size() != b.dims.size()) return false;
  std::vector<int> heads_a, heads_b;
  for (std::size_t d = 0; d + 2 < a.dims.size(); ++d) {
    if (a.dims[d].size() != b.dims[d].size()) return false;
    for (std::size_t k = 0; k < a.dims[d].size(); ++k) {
      const int mine = a.dims[d][k], other = b.dims[d][k];
      if (!axes_.is(mine, axis_kind::features)) {
        if (mine != other) return false;
        continue;
      }
      if (!axes_.is(other, axis_kind::features) || axes_[mine].length != axes_[other].length) return false;
      heads_a.push_back(mine);
      heads_b.push_back(other);
    }
  }
  return heads_a == std::vector<int>(a.features.begin(), a.features.end() - 1) &&
         heads_b == std::vector<int>(b.features.begin(), b.features.end() - 1);
}
TENON_INLINE void importer::add_scores(const onnx_read_node& n) {
  attention_scores made;
  double by = 1;
  std::tie(made.queries, made.scale) = scaled(input(n, 0));
  std::tie(made.keys, by) = scaled(input(n, 1));
  if (made.queries.edge < 0) {
    made.queries = columns(n, 0);
    made.scale = 1;
  }
  if (made.keys.edge < 0) {
    made.keys = columns(n, 1);
    by = 1;
  }
  made.scale *= by;
  const dimensions &q = made.queries.dims, &k = made.keys.dims;
  const bool fits = q.size() >= 3 && q.size() == k.size() && !made.queries.features.empty() &&
                    !made.keys.features.empty() &&
                    q.back() == std::vector<int>{made.queries.features.back()} &&
                    k[k.size() - 2] == std::vector<int>{made.keys.features.back()};
  const auto is_steps = [&](const std::vector<int>& d) {
    return axis_table::only(d) >= 0 && axes_.is(d[0], axis_kind::steps);
  };
  if (!fits || !is_steps(q[q.size() - 2]) || !is_steps(k.back()) || !have_same_heads(made.queries, made.keys))
    refuse(n, "of " + said(made.queries) + " and " + said(made.keys) +
                  "; expected [.., steps, features] and [.., features, steps]");
  edge_view all = made.queries;
  all.features.pop_back();
  all.dims.back() = k.back();
  set(n, {.kind = value_kind::scores, .columns = all, .scores = made});
}
TENON_INLINE void importer::add_attended(const onnx_read_node& n) {
  attention_scores s = input(n, 0).scores;
  const edge_view all = input(n, 0).columns;  // queries as the scores lie
  const std::vector<int> width_of_head{s.queries.features.back()},
      asking = s.queries.dims[s.queries.dims.size() - 2];
  s.queries.dims = all.dims;
  s.queries.dims.back() = width_of_head;
  s.queries.features = all.features;
  s.queries.features.push_back(width_of_head[0]);
  if (!has_past_end(n, false)) needs_whole_rows(n);
  const edge_view v = columns(n, 1);
  const bool fits = s.is_normal && all.dims.size() >= 3 && all.dims.back() == s.keys.dims.back() &&
                    all.dims[all.dims.size() - 2] == asking && v.dims.size() == all.dims.size() &&
                    v.features.size() == s.queries.features.size() && !v.features.empty() &&
                    v.dims.back() == std::vector<int>{v.features.back()} &&
                    v.dims[v.dims.size() - 2] == s.keys.dims.back() && have_same_heads(s.queries, v);
  if (!fits) refuse(n, "of attention over " + said(s.keys) + " and values " + said(v));
  const auto width = axes_[v.features.back()].length, heads = axes_.columns_of(v) / width;
  const std::vector<int> sources{edge_of(n, s.queries), edge_of(n, s.keys), edge_of(n, v)};
  const int e = add_node(n, "", sources, edge(s.queries.edge).axes, axes_.columns_of(v));
  onnx_layer_node& made = node_of(e);
  made.layer = made.name + "_attention";
  const std::string by = s.scale == 1 ? "" : " * " + decimal(s.scale);
  made.equation = "struct " + made.layer +
                  " {\n  static constexpr auto at(auto query, auto key, auto value) {\n    const auto keys = "
                  "ir::as_axis(key), values = ir::as_axis(value);\n"
                  "    return weighted_sum(softmax(ir::dot<" +
                  std::to_string(heads) + ">(query" + by +
                  ", keys), along(keys)), values, along(keys));\n  }\n};\n";
  attended_.push_back({edge(e).node, s.queries, s.keys, v, static_cast<int>(heads), s.scale});
  edge_view found = in_place_of(s.queries, e);
  found.features.back() = v.features.back();
  found.dims.back() = {v.features.back()};
  set_columns(n, found);
}

// Projections, attention and a projection of what it finds are multi_head.
TENON_INLINE void importer::join_heads() {
  const auto rows = [](const onnx_array& of, std::int64_t first, std::int64_t count) {
    const std::int64_t width = of.shape.size() > 1 ? of.shape[1] : 1;
    return std::vector<double>(of.numbers.begin() + first * width,
                               of.numbers.begin() + (first + count) * width);
  };
  const auto linear_of = [&](int e) -> const onnx_layer_node* {
    if (edge(e).node < 0) return nullptr;
    const onnx_layer_node& n = made_.nodes[static_cast<std::size_t>(edge(e).node)];
    return n.layer.find("linear<") == 0 && n.parameters.size() == 2 ? &n : nullptr;
  };
  for (onnx_layer_node& out : made_.nodes) {
    if (out.layer.find("linear<") != 0 || out.sources.size() != 1) continue;
    const int from = edge(out.sources[0]).node;
    const auto found =
        std::find_if(attended_.begin(), attended_.end(), [&](const attended& a) { return a.node == from; });
    if (found == attended_.end()) continue;
    const edge_view parts[]{found->queries, found->keys, found->values};
    const onnx_layer_node* projections[3];
    bool fits = true;
    for (int k = 0; k < 3; ++k) {
      projections[k] = linear_of(parts[k].edge);
      fits = fits && projections[k] != nullptr;
    }
    if (!fits) continue;
    const std::int64_t D = axes_.columns_of(parts[0]);
    const int query = projections[0]->sources[0], memory = projections[1]->sources[0];
    fits = projections[2]->sources[0] == memory && axes_.columns_of(parts[1]) == D &&
           axes_.columns_of(parts[2]) == D &&
           std::abs(found->scale * std::sqrt(static_cast<double>(D / found->heads)) - 1) < 1e-5 &&
           out.parameters[0].second.shape[0] == D;
    if (!fits) continue;
    const bool is_joint = edge(query).columns == D && edge(memory).columns == D;
    onnx_array weight{{3 * D, D}}, bias{{3 * D}};
    std::vector<std::pair<std::string, onnx_array>> parameters;
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> mine = rows(projections[k]->parameters[0].second, parts[k].first, D),
                                own = rows(projections[k]->parameters[1].second, parts[k].first, D);
      bias.numbers.insert(bias.numbers.end(), own.begin(), own.end());
      if (is_joint) weight.numbers.insert(weight.numbers.end(), mine.begin(), mine.end());
      else
        parameters.push_back({std::string(1, "qkv"[k]) + "_proj_weight",
                              {{D, projections[k]->parameters[0].second.shape[1]}, mine}});
    }
    if (is_joint) parameters.emplace_back("in_proj_weight", weight);
    parameters.emplace_back("in_proj_bias", bias);
    parameters.emplace_back("out_proj.weight", out.parameters[0].second);
    parameters.emplace_back("out_proj.bias",
                            out.parameters.size() > 1
                                ? out.parameters[1].second
                                : onnx_array{{D}, std::vector<double>(static_cast<std::size_t>(D), 0)});
    out.parameters = parameters;
    out.layer = "multi_head<" + std::to_string(D) + ", " + std::to_string(found->heads) + ">";
    out.sources = {query};
    if (memory != query) out.sources.push_back(memory);
  }
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

}  // namespace tenon::detail
