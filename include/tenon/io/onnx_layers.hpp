// onnx_layers: operations that are operators of ONNX by themselves: tables, windows, and catalogue layers: recurrences, convolutions, pools.
#pragma once

#include "tenon/io/onnx_edges.hpp"

#include <string>
#include <vector>

namespace tenon::inline v0_1::detail {

class onnx_layers : protected onnx_edges {
 protected:
  using onnx_edges::onnx_edges;

  void add_rows_of_table(const ir::operation& o);
  void add_windows(const ir::operation& o);
  // Adds operation k if it is, with those behind it, a layer that ONNX has; returns how many operations that are, or 0.
  int add_layer(int k);

 private:
  int add_recurrence(int k);
  int add_convolution(int k);
  int add_pool(int k);
  // The operation behind windows k that alone reads them, or null.
  const ir::operation* reader_of_windows(int k) const;
  // [batch, features, places..] and back.
  std::string places_last(const ir::operation& windows, double outside);
  void places_back(const ir::operation& windows, const ir::operation& o, const std::string& y);
  std::vector<onnx_attribute> attributes_of(const ir::operation& windows) const;
  // The symbols of both directions below each other.
  std::string rows_of_gates(const std::vector<const ir::operation*>& runs,
                            const std::vector<int>& symbols) const;
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_layers.ipp"
#endif
