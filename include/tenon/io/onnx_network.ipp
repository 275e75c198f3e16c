// The bodies of onnx_network.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/io/safetensors.hpp"
#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace tenon::inline v0_1::detail {

TENON_INLINE void onnx_network::prune() {
  std::vector<bool> is_needed(nodes.size(), false);
  std::vector<int> open(outputs);
  while (!open.empty()) {
    const onnx_network_edge& e = edges[static_cast<std::size_t>(open.back())];
    open.pop_back();
    if (e.node < 0 || is_needed[static_cast<std::size_t>(e.node)]) continue;
    is_needed[static_cast<std::size_t>(e.node)] = true;
    const std::vector<int>& more = nodes[static_cast<std::size_t>(e.node)].sources;
    open.insert(open.end(), more.begin(), more.end());
  }
  std::vector<int> place(nodes.size(), -1);
  std::vector<onnx_layer_node> kept;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (is_needed[n]) {
      place[n] = static_cast<int>(kept.size());
      kept.push_back(std::move(nodes[n]));
    }
  nodes = std::move(kept);
  for (onnx_network_edge& e : edges)
    if (e.node >= 0) e.node = place[static_cast<std::size_t>(e.node)];
}

TENON_INLINE void onnx_network::rename(int e, const std::string& name) {
  const onnx_network_edge& wanted = edges[static_cast<std::size_t>(e)];
  if (wanted.node < 0 || name.empty()) return;
  onnx_layer_node& n = nodes[static_cast<std::size_t>(wanted.node)];
  bool is_free = wanted.path == n.name;
  for (const onnx_layer_node& other : nodes) is_free = is_free && other.name != name;
  for (const onnx_network_input& i : inputs)
    is_free = is_free && edges[static_cast<std::size_t>(i.edge)].path != name;
  if (!is_free) return;
  for (onnx_network_edge& other : edges) {
    if (other.path == n.name) other.path = name;
    else if (other.path.find(n.name + ".") == 0) other.path.replace(0, n.name.size(), name);
  }
  n.name = name;
}
TENON_INLINE void onnx_network::shorten(const std::string& ending) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    std::string shorter = edges[e].path;
    const std::size_t at = shorter.find(ending);
    if (at != std::string::npos && at > 0 && edges[e].node >= 0)
      rename(static_cast<int>(e), shorter.erase(at, ending.size()));
  }
}

TENON_INLINE std::string onnx_network::header() const {
  const auto path_of = [&](int e) { return edges[static_cast<std::size_t>(e)].path; };
  std::string text =
      "// The network of an ONNX file. Its weights: load(theta, \"...safetensors\"), or io::load_onnx(theta, "
      "\"...onnx\").\n#pragma once\n\n#include <tenon/tenon.hpp>\n\nnamespace " +
      title + "_network {\nusing namespace tenon;\nusing namespace tenon::nn;\n\n";
  for (const auto& [name, size] : sizes)
    text += "constexpr int " + name + " = " + std::to_string(size) + ";\n";
  std::map<std::string, std::string> structs;  // each equation once
  for (const onnx_layer_node& n : nodes)
    if (!n.equation.empty() && structs.emplace(n.layer, n.equation).second) text += "\n" + n.equation;
  text += "\nusing " + title + " = graph<\"" + title + "\"";
  for (const onnx_network_input& i : inputs)
    if (!i.is_lengths) text += ",\n    input<\"" + path_of(i.edge) + "\", " + i.entry + ">";
  for (const onnx_layer_node& n : nodes) {
    text += ",\n    node<\"" + n.name + "\", " + n.layer;
    for (const int source : n.sources) text += ", \"" + path_of(source) + "\"";
    text += ">";
  }
  for (const int output : outputs) text += ",\n    output<\"" + path_of(output) + "\">";
  return text + ">;\n\n}  // namespace " + title + "_network\n\nusing " + title + "_network::" + title +
         ";\n";
}

TENON_INLINE std::vector<io::named_tensor> onnx_network::tensors() const {
  std::vector<io::named_tensor> all;
  for (const onnx_layer_node& n : nodes)
    for (const auto& [name, array] : n.parameters)
      all.push_back({n.name + "." + name,
                     io::dtype::float64,
                     {array.shape.begin(), array.shape.end()},
                     array.numbers.data()});
  return all;
}

TENON_INLINE void check_import_options(const std::string& name, int most_steps) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  bool fits = !name.empty() && is_letter(name[0]);
  for (const char c : name) fits = fits && (is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0);
  if (!fits) throw input_error("import_onnx: expected a name of C++ for the graph, got '" + name + "'");
  if (most_steps < 1)
    throw input_error("import_onnx: expected at least one step, got " + std::to_string(most_steps));
}

TENON_INLINE void write_onnx_weights(const onnx_network& network, const std::string& path) {
  std::vector<io::named_tensor> tensors = network.tensors();
  std::vector<std::vector<float>> narrow;
  for (io::named_tensor& t : tensors) {
    const auto* const numbers = static_cast<const double*>(t.data);
    const std::size_t count = t.bytes() / sizeof(double);
    std::vector<float> mine;
    for (std::size_t k = 0; k < count; ++k) mine.push_back(static_cast<float>(numbers[k]));
    if (!std::equal(mine.begin(), mine.end(), numbers,
                    [](float a, double b) { return static_cast<double>(a) == b; }))
      continue;
    narrow.push_back(std::move(mine));
    t.type = io::dtype::float32;
    t.data = narrow.back().data();
  }
  io::write_safetensors(path, tensors);
}

}  // namespace tenon::inline v0_1::detail
