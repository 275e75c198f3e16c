// onnx_moves: the operators that only move values about: transpose, reshape, take parts, join.
#pragma once

#include "tenon/io/onnx_rows.hpp"

#include <cstddef>
#include <cstdint>

namespace tenon::inline v0_1::detail::onnx {

class value_moves : protected value_rows {
 protected:
  using value_rows::value_rows;

  // False: another operator.
  bool move(const onnx_read_node& n);

 private:
  void move_shape(const onnx_read_node& n);
  void slice(const onnx_read_node& n);
  void gather(const onnx_read_node& n);
  void split(const onnx_read_node& n);
  void concatenate(const onnx_read_node& n);
  edge_view step_of(const onnx_read_node& n, const edge_view& v, std::size_t dimension, bool is_last);
  void take_columns(const onnx_read_node& n, std::size_t axis, std::int64_t first, std::int64_t end,
                    bool keep);
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_moves.ipp"
#endif
