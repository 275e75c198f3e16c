// onnx_import: the network of an ONNX file: which layers of the catalogue its operators are.
#pragma once

#include "tenon/io/onnx_catalogue.hpp"

#include <string>
#include <vector>

namespace tenon::detail {

namespace onnx {

// What the dimensions of an input are, in order.
using input_axes = std::vector<axis_kind>;

class importer : catalogue {
 public:
  importer(const onnx_model& model, int most_steps, const std::vector<input_axes>& inputs)
      : catalogue(model, most_steps), inputs_(inputs) {}
  // Throws not_understood.
  onnx_network network();
  // How many nodes were understood.
  std::size_t understood() const { return understood_; }

 private:
  void add_inputs();
  void add(const onnx_read_node& n);
  void add_product(const onnx_read_node& n);
  bool have_same_heads(const edge_view& a, const edge_view& b) const;
  void add_scores(const onnx_read_node& n);
  void add_attended(const onnx_read_node& n);
  void join_heads();
  void add_outputs();

  const std::vector<input_axes>& inputs_;
  std::size_t understood_ = 0;
  struct attended {
    int node = -1;
    edge_view queries{}, keys{}, values{};
    int heads = 1;
    double scale = 1;
  };
  std::vector<attended> attended_{};
};

}  // namespace onnx

// The network of a model; sequences have at most so many steps where the file does not say. What the dimensions of an input are follows from
// what the nodes do with it. Throws data_error, which names the file, the node and what is not understood.
onnx_network import_onnx(const onnx_model& model, int most_steps, const std::string& title);

}  // namespace tenon::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_import.ipp"
#endif
