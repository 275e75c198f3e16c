// onnx_heads: attention of an ONNX file: products of queries and keys, their softmax, what it finds, and the projections around them.
#pragma once

#include "tenon/io/onnx_catalogue.hpp"

#include <vector>

namespace tenon::inline v0_1::detail::onnx {

class attention_nodes : protected catalogue {
 protected:
  using catalogue::catalogue;

  // A product of two values, neither of which is a constant.
  void add_scores(const onnx_read_node& n);
  // The values that scores choose.
  void add_attended(const onnx_read_node& n);
  // Projections, attention and a projection of what it finds are multi_head.
  void join_heads();

 private:
  bool have_same_heads(const edge_view& a, const edge_view& b) const;

  struct attended {
    int node = -1;
    edge_view queries{}, keys{}, values{};
    int heads = 1;
    double scale = 1;
  };
  std::vector<attended> attended_{};
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_heads.ipp"
#endif
