// onnx_axes: what the axes of an ONNX file's tensors are in a network. ONNX has numbers, and nodes that transpose, reshape and compute shapes; here
// each dimension of a tensor is a list of axes with a meaning: the batch, steps, features of heads and of a head. So a transposition moves axes,
// a reshape joins and divides dimensions, and at the end it is known what a product sums over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::inline v0_1::detail::onnx {

// Which node of a file is not understood, and why; perhaps because an axis of that name has so many steps.
struct not_understood {
  std::string reason{}, axis{};
  std::int64_t steps = 0;
};

// Sums and products of what a file says; not_understood if they leave 64 bits.
std::int64_t added(std::int64_t a, std::int64_t b);
std::int64_t multiplied(std::int64_t a, std::int64_t b);

enum class axis_kind { batch, steps, lines, places, layers, features };
struct read_axis {
  axis_kind kind{};
  std::int64_t length = -1;  // -1: known when the network runs
  std::string name{};
};

// A number times axes of unknown length.
struct symbolic_size {
  std::int64_t number = 1;
  std::vector<int> axes{};  // sorted

  bool is_number() const { return axes.empty(); }
  bool operator==(const symbolic_size&) const = default;
};
symbolic_size product(const symbolic_size& a, const symbolic_size& b);
// Nothing if b does not divide a.
std::optional<symbolic_size> quotient(const symbolic_size& a, const symbolic_size& b);

using dimensions = std::vector<std::vector<int>>;

// Columns of an edge of the network, and where they and its other axes are in a tensor of the file.
struct edge_view {
  int edge = -1;
  std::int64_t first = 0;       // of the columns
  std::vector<int> features{};  // axes of the columns, the outer first
  dimensions dims{};
};

class axis_table {
 public:
  int add(axis_kind kind, std::int64_t length, const std::string& name = {});
  const read_axis& operator[](int axis) const { return axes_[static_cast<std::size_t>(axis)]; }
  bool is(int axis, axis_kind kind) const { return (*this)[axis].kind == kind; }
  symbolic_size size_of(const std::vector<int>& dimension) const;
  std::int64_t columns_of(const edge_view& v) const;
  // The tensor with other dimensions. A size of number -1 is what is left. Nothing if a dimension would mix parts of axes.
  std::optional<edge_view> reshaped(const edge_view& v, std::vector<symbolic_size> to);
  // One element, or a range, of a dimension of features; nothing if the columns do not lie side by side.
  std::optional<edge_view> columns(const edge_view& v, std::size_t dimension, std::int64_t first,
                                   std::int64_t end);
  // The last axes of the columns as one, if a dimension is these.
  void merge_features(edge_view& v, std::size_t dimension);
  // Gives axes of one element that share a dimension one of their own, if a dimension has none.
  void settle(dimensions& dims) const;
  // The only axis of a dimension, or -1.
  static int only(const std::vector<int>& dimension) { return dimension.size() == 1 ? dimension[0] : -1; }

 private:
  std::vector<read_axis> axes_{};
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_axes.ipp"
#endif
