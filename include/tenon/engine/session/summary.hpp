// summary: the layer, the output and the cost of each node of a graph, known without running anything. Counts are for
// one row of the batch with sequences of full length.
#pragma once

#include "tenon/engine/session/differentiation.hpp"
#include "tenon/engine/session/inference.hpp"
#include "tenon/graph/draw.hpp"

#include <algorithm>
#include <ostream>
#include <string>

namespace tenon::inline v0_1 {

namespace detail {

struct node_summary {
  ir::name path{};
  ir::name layer{};
  int out = -1;              // edge; see network_of<G>
  long parameters = 0;       // tied ones count where they appear first
  long multiply_adds = 0;    // of products and sums over features or time
  long largest_product = 0;  // the weights that it reads
  long saved_bytes = 0;  // that training keeps for the backward pass: values, states and saved intermediates
};

template <int Nodes>
struct graph_summary {
  ir::list<node_summary, Nodes> nodes;
  long parameters = 0, multiply_adds = 0, saved_bytes = 0;
  std::size_t inference_bytes = 0, training_bytes = 0;  // workspaces of batch<1>
};

template <class G>
constexpr auto summarize() {
  using plan = engine::plan_of<G, void, engine::purpose::differentiation>;
  using written =
      engine::plan_activity<network_of<G>, true, false, false, 1>;  // before operations are joined
  constexpr const auto& net = network_of<G>;
  constexpr const auto& memory = engine::memory_of<plan>;
  graph_summary<net.nodes.size> s;
  const auto layers = ir::layer_names<G>();
  for (int k = 0; k < net.nodes.size; ++k) {
    const node_record& n = net.nodes[k];
    node_summary mine{.path = n.path, .layer = layers[k], .out = n.out};
    for (int p = n.first_parameter; p < n.last_parameter; ++p)
      if (net.parameters[p].tied_to < 0) mine.parameters += net.parameters[p].elements();
    for (int o = n.first_operation; o < n.last_operation; ++o) {
      const operation& op = net.operations[o];
      if (!written::active.alive[o]) continue;
      if (op.program >= 0) {
        const program_view& p = net.programs[op.program];
        domain domains[max_instructions]{};
        for (int i = 0; i < p.code.size; ++i) {
          domains[i] = domain_of(p.varies, p.code[i], domains);
          const auto rows = [&](domain d) {
            return (d == domain::free || has_axis(d, dimension::time) ? long(written::steps_of(o)) : 1L) *
                   (has_axis(d, dimension::inner) ? long(written::inner_steps_of(o)) : 1L);
          };
          const long times = rows(domains[i]);
          if (p.code[i].code == opcode::matmul) {
            const long weights = long(p.code[i].size) * p.code[p.code[i].a].size;
            mine.multiply_adds += weights * times;
            mine.largest_product = std::max(mine.largest_product, weights);
          }
          if (p.code[i].code == opcode::axis_sum)
            mine.multiply_adds += p.code[i].size * rows(domains[p.code[i].a]);
          if (p.code[i].code == opcode::pair_dot) mine.multiply_adds += p.code[p.code[i].a].size * times;
          if (p.code[i].code == opcode::pair_sum)
            mine.multiply_adds += p.code[i].size * rows(domains[p.code[i].a]);
          if (p.code[i].code == opcode::row_sum) mine.multiply_adds += p.code[p.code[i].a].size * times;
        }
      }
      const auto bytes = [](const engine::region& r) { return r.size * long(sizeof(float)); };
      for (int run = 0; run < plan::net.operations.size; ++run) {
        if (!(plan::net.operations[run].out == op.out)) continue;
        for (const engine::region& r : memory.regions_of(run)) {
          using engine::region_kind;
          const bool is_saved =
              r.kind == region_kind::saved || r.kind == region_kind::state || r.kind == region_kind::number;
          if (is_saved) mine.saved_bytes += bytes(r);
        }
      }
      for (int e : op.out)
        if (net.owner(e) == e && memory.value[e] >= 0)
          mine.saved_bytes += bytes(memory.regions[memory.value[e]]);
    }
    s.parameters += mine.parameters;
    s.multiply_adds += mine.multiply_adds;
    s.saved_bytes += mine.saved_bytes;
    s.nodes.add(mine);
  }
  s.inference_bytes = tenon::inference<G>::workspace_bytes;
  s.training_bytes = tenon::differentiation<G>::workspace_bytes;
  return s;
}

}  // namespace detail

// The summary of a graph as constants.
template <concepts::Graph G>
inline constexpr auto summary = detail::summarize<G>();

// The summary as a table.
namespace io {
template <concepts::Graph G>
void print_summary(std::ostream& out) {
  static constexpr const auto& s = summary<G>;
  static constexpr const auto& net = network_of<G>;
  std::size_t widths[3]{4, 5, 6};
  const auto wider = [](std::size_t& w, std::size_t n) { w = n > w ? n : w; };
  for (const detail::node_summary& n : s.nodes) {
    wider(widths[0], n.path.view().size());
    wider(widths[1], n.layer.view().size());
    wider(widths[2], ir::shape_text(net, net.edges[n.out]).size());
  }
  const auto line = [&](ir::characters path, ir::characters layer, const std::string& shape,
                        const std::string& parameters, const std::string& multiply_adds,
                        const std::string& saved) {
    const auto left = [](ir::characters cell, std::size_t width) {
      std::string padded = cell;
      return padded.append(width > padded.size() ? width - padded.size() : 0, ' ');
    };
    const auto right = [](const std::string& cell, std::size_t width) {
      return std::string(width > cell.size() ? width - cell.size() : 0, ' ') + cell;
    };
    out << left(path, widths[0]) << "  " << left(layer, widths[1]) << "  " << left(shape, widths[2])
        << right(parameters, 12) << right(multiply_adds, 15) << right(saved, 13) << "\n";
  };
  line("node", "layer", "output", "parameters", "multiply-adds", "saved bytes");
  for (const detail::node_summary& n : s.nodes)
    line(n.path.view(), n.layer.view(), ir::shape_text(net, net.edges[n.out]), std::to_string(n.parameters),
         std::to_string(n.multiply_adds), std::to_string(n.saved_bytes));
  line("total", "", "", std::to_string(s.parameters), std::to_string(s.multiply_adds),
       std::to_string(s.saved_bytes));
  out << "workspace of one row: " << std::to_string(s.inference_bytes) << " bytes to infer, "
      << std::to_string(s.training_bytes) << " bytes to train\n";
  constexpr long least = backend::int8_weights::pays_from;
  std::string large;
  for (const detail::node_summary& n : s.nodes)
    if (n.largest_product >= least) large += (large.empty() ? "" : ", ") + std::string(n.path.view());
  out << "int8_weights pay for products of " << std::to_string(least)
      << " weights and more: " << (large.empty() ? "there is none" : large) << "\n";
}
}  // namespace io

}  // namespace tenon::inline v0_1
