// onnx_network: a network that was read from an ONNX file, as text and parameters.
#pragma once

#include "tenon/io/onnx_reader.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::detail {

// A node of the graph: its layer as it is written, the edges that it reads, and its parameters by their names within it.
struct onnx_layer_node {
  std::string name{}, layer{},
      equation{};  // equation: the struct that the layer names, if it is one of its own
  std::vector<int> sources{};
  std::vector<std::pair<std::string, onnx_array>> parameters{};

  // lstm<32>, gru<..>, rnn<..>, recurrent<..>
  bool is_recurrence() const {
    for (const char* const kind : {"lstm<", "gru<", "rnn<", "recurrent<"})
      if (layer.find(kind) == 0) return true;
    return false;
  }
};
struct onnx_network_edge {
  std::string path{};  // as nodes name it
  std::vector<int> axes{};
  std::int64_t columns = 0;
  int node = -1;  // -1: an input
  bool is_token = false;
};
struct onnx_network_input {
  int edge = -1;
  std::string entry{};  // features<5>, steps<most_steps>
  bool is_lengths = false;
};
struct onnx_network {
  std::string title{};
  std::vector<onnx_network_edge> edges{};
  std::vector<onnx_layer_node> nodes{};
  std::vector<onnx_network_input> inputs{};
  std::vector<int> outputs{};
  std::vector<std::pair<std::string, std::int64_t>> sizes{};  // constants of the header

  // Drops what no output needs.
  void prune();
  // Takes the ending from the names of nodes that have it, if no other node has the shorter name.
  void shorten(const std::string& ending);
  // Names the node of an edge so, if it is a node's first result and nothing else has the name.
  void rename(int edge, const std::string& name);
  // The graph as a header: `namespace title { using title = graph<..>; }`.
  std::string header() const;
  // All parameters, `node.weight`, in the order of the nodes; their numbers are this object's.
  std::vector<io::named_tensor> tensors() const;
};

// Throws input_error for a name that is none of C++, and for less than one step.
void check_import_options(const std::string& name, int most_steps);
// All parameters as a safetensors file, in float where that loses nothing.
void write_onnx_weights(const onnx_network& network, const std::string& path);

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_network.ipp"
#endif
