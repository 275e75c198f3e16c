// onnx_import: the network of an ONNX file: which layers of the catalogue its operators are.
#pragma once

#include "tenon/io/onnx_heads.hpp"

#include <string>
#include <vector>

namespace tenon::inline v0_1::detail {

namespace onnx {

// What the dimensions of an input are, in order.
using input_axes = std::vector<axis_kind>;

class importer : attention_nodes {
 public:
  importer(const onnx_model& model, int most_steps, const std::vector<input_axes>& inputs)
      : attention_nodes(model, most_steps), inputs_(inputs) {}
  // Throws not_understood.
  onnx_network network();
  // How many nodes were understood.
  std::size_t understood() const { return understood_; }

 private:
  void add_inputs();
  void add(const onnx_read_node& n);
  void add_product(const onnx_read_node& n);
  void add_outputs();

  const std::vector<input_axes>& inputs_;
  std::size_t understood_ = 0;
};

}  // namespace onnx

// The network of a model; sequences have at most so many steps where the file does not say. What the dimensions of an input are follows from
// what the nodes do with it. Throws data_error, which names the file, the node and what is not understood.
onnx_network import_onnx(const onnx_model& model, int most_steps, const std::string& title);

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_import.ipp"
#endif
