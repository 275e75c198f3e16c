// Drawings of a graph, shapes on the edges: DOT for Graphviz, and Mermaid for pages that draw it themselves.
#pragma once

#include "tenon/graph/graph.hpp"

#include <string>

namespace tenon {

namespace ir {
// [time 10, features 64], [tokens 10], [layers 4, features 32]: one row of an edge, without the batch.
template <class Network>
std::string shape_text(const Network& net, const edge& e) {
  std::string text = "[";
  if (e.is_grid())
    text += "height " + std::to_string(e.grid.height) + ", width " + std::to_string(e.grid.width) + ", ";
  else if (e.axis >= 0)
    text += std::string(net.axes[e.axis].name.view()) + " " + std::to_string(net.axes[e.axis].bound) + ", ";
  if (e.layers > 1) text += "layers " + std::to_string(e.layers) + ", ";
  return text + (e.is_token() ? "tokens " + std::to_string(e.range) : "features " + std::to_string(e.size)) +
         "]";
}

// The type names of the layers, in the order of network_of<G>.nodes.
template <class G>
constexpr auto layer_names() {
  list<name, network_of<G>.nodes.size> names;
  const auto take = [&](const name&, const name& layer) { names.add(layer); };
  G::name_layers(name{}, take);
  return names;
}
}  // namespace ir

namespace detail {

// Calls box(path, layer) for every input and node, and line(from, to, shape) for every edge between them.
template <class G, class Box, class Line>
void walk_graph(Box box, Line line) {
  static constexpr const auto& net = network_of<G>;
  const auto writer_of = [](int e) -> std::string {
    for (const node_record& n : net.nodes)
      for (int o = n.first_operation; o < n.last_operation; ++o)
        for (int out : net.operations[o].out)
          if (net.owner(out) == net.owner(e)) return std::string(n.path.view());
    return std::string(net.edges[net.owner(e)].path.view());
  };
  for (int i : net.inputs) box(std::string(net.edges[i].path.view()), std::string("input"));
  const auto layers = layer_names<G>();
  for (int k = 0; k < net.nodes.size; ++k) {
    const node_record& n = net.nodes[k];
    box(std::string(n.path.view()), std::string(layers[k].view()));
    for (int e : n.in) line(writer_of(e), std::string(n.path.view()), shape_text(net, net.edges[e]));
  }
  for (int o = 0; o < net.outputs.size; ++o) {
    const std::string label = "output " + std::string(net.output_names[o].view());
    box(label, std::string());
    line(writer_of(net.outputs[o]), label, shape_text(net, net.edges[net.outputs[o]]));
  }
}

}  // namespace detail

// The graph in Graphviz's DOT language.
template <concepts::Graph G>
std::string to_dot() {
  std::string boxes, lines;
  detail::walk_graph<G>(
      [&](const std::string& path, const std::string& layer) {
        boxes += "  \"" + path + "\" [label=\"" + path + (layer.empty() ? "" : "\\n" + layer) + "\"];\n";
      },
      [&](const std::string& from, const std::string& to, const std::string& shape) {
        lines += "  \"" + from + "\" -> \"" + to + "\" [label=\"" + shape + "\"];\n";
      });
  return "digraph \"" + std::string(G::title) + "\" {\n  node [shape=box];\n" + boxes + lines + "}\n";
}

// The graph as a Mermaid flowchart.
template <concepts::Graph G>
std::string to_mermaid() {
  std::string boxes, lines;
  const auto id = [](std::string path) {
    for (char& c : path)
      if (c == '.' || c == ' ') c = '_';
    return path;
  };
  detail::walk_graph<G>(
      [&](const std::string& path, const std::string& layer) {
        boxes += "  " + id(path) + "[\"" + path + (layer.empty() ? "" : "<br>" + layer) + "\"]\n";
      },
      [&](const std::string& from, const std::string& to, const std::string& shape) {
        lines += "  " + id(from) + " -- \"" + shape + "\" --> " + id(to) + "\n";
      });
  return "flowchart TD\n" + boxes + lines;
}

}  // namespace tenon
