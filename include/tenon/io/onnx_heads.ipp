// The bodies of onnx_heads.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tenon::inline v0_1::detail::onnx {

// Are the dimensions in front of the last two the same rows, and heads of equal number, in order?
TENON_INLINE bool attention_nodes::have_same_heads(const edge_view& a, const edge_view& b) const {
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
TENON_INLINE void attention_nodes::add_scores(const onnx_read_node& n) {
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
  const auto is_steps = [&](const std::vector<int>& d) {
    return axis_table::only(d) >= 0 && axes_.is(d[0], axis_kind::steps);
  };
  if (!made.queries.dims.empty()) axes_.merge_features(made.queries, made.queries.dims.size() - 1);
  if (made.keys.dims.size() >= 2) axes_.merge_features(made.keys, made.keys.dims.size() - 2);
  const std::string said_of_both = said(made.queries) + " and " + said(made.keys);
  const std::size_t rank = made.queries.dims.size();
  bool fits = rank >= 3 && rank == made.keys.dims.size() && !made.queries.features.empty() &&
              !made.keys.features.empty() &&
              made.queries.dims[rank - 1] == std::vector<int>{made.queries.features.back()} &&
              made.keys.dims[rank - 2] == std::vector<int>{made.keys.features.back()};
  // One query for each row, on the right of the keys.
  const bool is_turned = fits && made.keys.dims[rank - 1].empty() && is_steps(made.queries.dims[rank - 2]);
  if (is_turned) {
    std::swap(made.queries, made.keys);
    for (edge_view* const v : {&made.queries, &made.keys}) std::swap(v->dims[rank - 1], v->dims[rank - 2]);
  }
  fits = fits && (made.queries.dims[rank - 2].empty() || is_steps(made.queries.dims[rank - 2])) &&
         is_steps(made.keys.dims[rank - 1]) && have_same_heads(made.queries, made.keys);
  if (!fits) refuse(n, "of " + said_of_both + "; expected [.., steps, features] and [.., features, steps]");
  edge_view all = made.queries;
  all.features.pop_back();
  all.dims.back() = made.keys.dims.back();
  if (is_turned) std::swap(all.dims[rank - 1], all.dims[rank - 2]);
  set(n, {.kind = value_kind::scores, .columns = all, .scores = made});
}
TENON_INLINE void attention_nodes::add_attended(const onnx_read_node& n) {
  attention_scores s = input(n, 0).scores;
  const edge_view all = input(n, 0).columns;  // queries as the scores lie
  const std::vector<int> width_of_head{s.queries.features.back()},
      asking = s.queries.dims[s.queries.dims.size() - 2];
  s.queries.dims = all.dims;
  s.queries.dims.back() = width_of_head;
  s.queries.features = all.features;
  s.queries.features.push_back(width_of_head[0]);
  if (!has_past_end(n, false)) needs_whole_rows(n);
  edge_view v = columns(n, 1);
  if (!v.dims.empty()) axes_.merge_features(v, v.dims.size() - 1);
  const bool fits = s.is_normal && all.dims.size() >= 3 && all.dims.back() == s.keys.dims.back() &&
                    all.dims[all.dims.size() - 2] == asking && v.dims.size() == all.dims.size() &&
                    v.features.size() == s.queries.features.size() && !v.features.empty() &&
                    v.dims.back() == std::vector<int>{v.features.back()} &&
                    v.dims[v.dims.size() - 2] == s.keys.dims.back() && have_same_heads(s.queries, v);
  if (!fits) refuse(n, "of attention over " + said(s.keys) + " and values " + said(v));
  const auto width = axes_[v.features.back()].length, heads = axes_.columns_of(v) / width;
  std::vector<int> sources{edge_of(n, s.queries), edge_of(n, s.keys), edge_of(n, v)};
  const bool has_one = asking.empty(),
             is_layer = has_one && sources[1] == sources[2] && s.scale == 1 && heads == 1;
  if (is_layer) sources.pop_back();
  const int e = add_node(n, "attention<score::dot>", sources, edge(s.queries.edge).axes, axes_.columns_of(v));
  onnx_layer_node& made = node_of(e);
  const std::string by = s.scale == 1 ? "" : " * " + decimal(s.scale);
  if (!is_layer) made.layer = made.name + "_attention";
  if (!is_layer)
    made.equation =
        "struct " + made.layer +
        " {\n  static constexpr auto at(auto query, auto key, auto value) {\n    const auto keys = " +
        (has_one ? "key, values = value;\n" : "ir::as_axis(key), values = ir::as_axis(value);\n") +
        "    return weighted_sum(softmax(ir::dot<" + std::to_string(heads) + ">(query" + by +
        ", keys), along(keys)), values, along(keys));\n  }\n};\n";
  if (!has_one) attended_.push_back({edge(e).node, s.queries, s.keys, v, static_cast<int>(heads), s.scale});
  edge_view found = in_place_of(s.queries, e);
  found.features.back() = v.features.back();
  found.dims.back() = {v.features.back()};
  set_columns(n, found);
}

// Projections, attention and a projection of what it finds are multi_head.
TENON_INLINE void attention_nodes::join_heads() {
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

}  // namespace tenon::inline v0_1::detail::onnx
