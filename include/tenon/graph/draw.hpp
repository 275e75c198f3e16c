// Drawings of a graph with the shapes on its edges: DOT for Graphviz, and Mermaid for pages that render it themselves.
#pragma once

#include "tenon/graph/graph.hpp"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1 {

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
  const auto take = [&]<class Layer>(const name&, std::type_identity<Layer>) {
    names.add(type_name<Layer>());
  };
  G::name_layers(name{}, take);
  return names;
}
}  // namespace ir

namespace detail {

struct whole_name {
  std::string text{};
  constexpr bool is_full() const { return false; }
  void append(ir::characters s) { text.append(s.data(), s.size()); }
};
// The lines of a box: of a chain each layer, of any other layer its type.
inline std::vector<std::string> lines_of(ir::characters type) {
  whole_name name;
  ir::detail::write_type(type, name);
  const std::string chain = "chain<";
  if (!name.text.starts_with(chain)) return {name.text};
  std::vector<std::string> lines{""};
  int depth = 0;
  bool is_quoted = false;
  for (const char c : name.text.substr(chain.size(), name.text.size() - chain.size() - 1)) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted) depth += (c == '<') - (c == '>');
    if (c == ',' && depth == 0 && !is_quoted) lines.emplace_back();
    else if (c != ' ' || !lines.back().empty()) lines.back() += c;
  }
  return lines;
}

// Calls box(id, lines) for every input, node and output, and line(from, to, shape) for every edge between them.
// An id is a path; the id of an output begins with a dot, which no path does. The first line of a box is its name.
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
  const auto box_of = [&](const std::string& path, std::vector<std::string> lines) {
    lines.insert(lines.begin(), path);
    box(path, lines);
  };
  for (int i : net.inputs) box_of(std::string(net.edges[i].path.view()), {"input"});
  std::vector<std::vector<std::string>> layers;
  const auto take = [&]<class Layer>(const ir::name&, std::type_identity<Layer>) {
    layers.push_back(lines_of(ir::detail::raw_type_name<Layer>()));
  };
  G::name_layers(ir::name{}, take);
  for (int k = 0; k < net.nodes.size; ++k) {
    const node_record& n = net.nodes[k];
    box_of(std::string(n.path.view()), layers[static_cast<std::size_t>(k)]);
    for (int e : n.in) line(writer_of(e), std::string(n.path.view()), shape_text(net, net.edges[e]));
  }
  for (int o = 0; o < net.outputs.size; ++o) {
    const std::string name(net.output_names[o].view());
    box("." + name, std::vector<std::string>{"output " + name});
    line(writer_of(net.outputs[o]), "." + name, shape_text(net, net.edges[net.outputs[o]]));
  }
}

// Escapes text for a quoted string in DOT.
inline std::string in_dot(const std::string& words) {
  std::string all;
  for (char c : words) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}
// Escapes text for a quoted string in Mermaid, which reads HTML elements there.
inline std::string in_mermaid(const std::string& words) {
  std::string all;
  for (char c : words)
    if (c == '"') all += "#quot;";
    else if (c == '<') all += "#lt;";
    else if (c == '>') all += "#gt;";
    else all += c;
  return all;
}
inline std::string joined_lines(const std::vector<std::string>& lines,
                                std::string (*escaped)(const std::string&), const std::string& end) {
  std::string all;
  for (const std::string& line : lines) all += (&line == &lines.front() ? "" : end) + escaped(line);
  return all;
}
// A path as a word of letters, digits and underscores; different paths give different words.
inline std::string as_word(const std::string& path) {
  constexpr char digits[] = "0123456789abcdef";
  std::string word;
  for (char c : path) {
    const bool stays = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9');
    if (stays) word += c;
    else if (c == '_') word += "__";
    else word.append({'_', digits[(c >> 4) & 15], digits[c & 15]});
  }
  return word;
}

}  // namespace detail

namespace io {

// The graph in Graphviz's DOT language.
template <concepts::Graph G>
std::string to_dot() {
  std::string boxes, lines;
  using detail::in_dot;
  detail::walk_graph<G>(
      [&](const std::string& id, const std::vector<std::string>& label) {
        boxes += "  \"" + in_dot(id) + "\" [label=\"" + detail::joined_lines(label, in_dot, "\\n") + "\"];\n";
      },
      [&](const std::string& from, const std::string& to, const std::string& shape) {
        lines += "  \"" + in_dot(from) + "\" -> \"" + in_dot(to) + "\" [label=\"" + in_dot(shape) + "\"];\n";
      });
  return "digraph \"" + in_dot(std::string(G::title)) + "\" {\n  node [shape=box];\n" + boxes + lines + "}\n";
}

// The graph as a Mermaid flowchart.
template <concepts::Graph G>
std::string to_mermaid() {
  std::string boxes, lines;
  using detail::in_mermaid, detail::as_word;
  detail::walk_graph<G>(
      [&](const std::string& id, const std::vector<std::string>& label) {
        boxes += "  " + as_word(id) + "[\"" + detail::joined_lines(label, in_mermaid, "<br>") + "\"]\n";
      },
      [&](const std::string& from, const std::string& to, const std::string& shape) {
        lines += "  " + as_word(from) + " -- \"" + in_mermaid(shape) + "\" --> " + as_word(to) + "\n";
      });
  return "flowchart TD\n" + boxes + lines;
}

}  // namespace io

}  // namespace tenon::inline v0_1
