// onnx_values: the values of an ONNX graph while it is read: constants, sizes, parts of a network's edges; and elementwise operators on them.
#pragma once

#include "tenon/io/onnx_axes.hpp"
#include "tenon/io/onnx_expressions.hpp"
#include "tenon/io/onnx_network.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::detail::onnx {

enum class value_kind {
  none,
  constant,   // floating-point numbers
  sizes,      // whole numbers, perhaps of axes
  columns,    // a part of an edge
  term,       // elementwise operators of such parts
  zeros,      // of any shape
  row_order,  // rows in the order of their lengths, or back
  positions,  // whole numbers of steps or rows
  lengths,    // how many steps each row has
  mask,       // which steps a row has, or whether it has one
  never,      // is true nowhere
  scores,     // products of queries and keys
};
// Queries and keys [.., steps, features of a head], and what their products are multiplied by.
struct attention_scores {
  edge_view queries{}, keys{};
  double scale = 1;
  bool is_normal = false;  // behind a softmax
};
struct value_read {
  value_kind kind = value_kind::none;
  onnx_array constant{};
  std::vector<symbolic_size> sizes{};
  bool is_list = true;  // of sizes: not a single number
  edge_view columns{};  // of a term: as its arguments
  term_pointer expression{};
  const onnx_read_node* made_by = nullptr;  // of a term
  bool is_sorted = false;            // lengths: by size; row_order: such an order, and not the way back
  std::optional<double> past_end{};  // what steps behind the end of a row are
  attention_scores scores{};
};

// Small letters, digits and underlines.
std::string clean_name(const std::string& name);

class value_table {
 protected:
  value_table(const onnx_model& model, int most_steps) : model_(model), most_steps_(most_steps) {}

  [[noreturn]] static void refuse(const onnx_read_node& n, const std::string& what);
  const value_read& value_of(const std::string& name) const;
  const value_read& input(const onnx_read_node& n, std::size_t k) const;
  bool has_input(const onnx_read_node& n, std::size_t k) const;
  void set(const onnx_read_node& n, value_read v, std::size_t output = 0);
  void set_columns(const onnx_read_node& n, const edge_view& v, std::size_t output = 0);
  // What a node reads as a part of an edge; a term becomes a node.
  edge_view columns(const onnx_read_node& n, std::size_t k);
  edge_view materialised(const onnx_read_node& reader, const value_read& v);
  // A part of an edge times a number; the number is 0 if it is something else.
  static std::pair<edge_view, double> scaled(const value_read& v);
  // Floating-point numbers that the file has.
  const onnx_array& constant(const onnx_read_node& n, std::size_t k) const;
  bool is_constant(const onnx_read_node& n, std::size_t k) const;
  // Whole numbers that the file has, or that it computes of others.
  std::vector<std::int64_t> numbers(const onnx_read_node& n, std::size_t k) const;
  static std::int64_t attribute(const onnx_read_node& n, const char* name, std::int64_t otherwise);
  static std::vector<std::int64_t> list(const onnx_read_node& n, const char* name);
  // The order of a transposition.
  std::vector<std::size_t> order_of(const onnx_read_node& n, std::size_t rank) const;
  // Axes as an attribute or as an input, counted from the front.
  std::vector<std::int64_t> axes_of(const onnx_read_node& n, std::size_t k, std::size_t rank) const;

  // A new edge of a new node, and all of it, with its axes in this order: batch, others, features.
  int add_node(const onnx_read_node& n, const std::string& layer, const std::vector<int>& sources,
               std::vector<int> axes, std::int64_t columns, const std::string& hint = {});
  edge_view whole_of(int edge);
  // A recurrent layer's state behind its last step, [batch, columns]: "final" or "c_n".
  edge_view last_of(int layer, const std::string& state);
  onnx_layer_node& node_of(int edge);
  const onnx_network_edge& edge(int e) const { return made_.edges[static_cast<std::size_t>(e)]; }
  // The same columns of another edge, in the place of those.
  edge_view in_place_of(const edge_view& v, int edge);
  bool is_whole(const edge_view& v) const;
  // An edge of exactly these columns.
  int edge_of(const onnx_read_node& n, const edge_view& v);
  std::string unused_name(const onnx_read_node& n, const std::string& hint) const;
  std::string unused_name(const std::string& wanted) const;
  std::string said(const edge_view& v) const;
  // Is it an input of whole numbers, one for each row, and so the lengths of rows? Then it is no input of the network.
  bool is_lengths(const value_read& v);
  // These lengths, an input, are those of the rows along an axis of steps.
  void pair_lengths(const onnx_read_node& n, int axis, int lengths);
  // A node that sees what is past the end of rows; in a network it does not.
  void needs_whole_rows(const onnx_read_node& n);
  // Has the file replaced what is past the end of rows in a node's first input, by 0 or by a number below all others?
  bool has_past_end(const onnx_read_node& n, bool lowest) const;

  // An operator on each number; false: another operator.
  bool elementwise(const onnx_read_node& n);
  std::optional<onnx_array> vector_for(const edge_view& like, const onnx_array& c) const;
  term_pointer term_of(const onnx_read_node& n, std::size_t k, const edge_view* like);

  const onnx_model& model_;
  int most_steps_;
  axis_table axes_{};
  onnx_network made_{};
  std::map<std::string, value_read> values_{};
  std::map<std::string, int> readers_{};
  std::map<std::string, const onnx_read_node*> makers_{};
  std::vector<edge_view> wholes_{};     // by edge
  int batch_ = -1, sorted_batch_ = -1;  // rows in the order of their lengths
  std::string needs_whole_rows_{};      // the first such node
  std::map<int, int> lengths_{};        // inputs, by axis
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_values.ipp"
#endif
