// onnx_recurrences: the recurrent operators of an ONNX file, the loops that are one, and steps in reverse.
#pragma once

#include "tenon/io/onnx_moves.hpp"
#include "tenon/io/onnx_steps.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::inline v0_1::detail::onnx {

class recurrences : protected value_moves {
 protected:
  using value_moves::value_moves;

  // LSTM, GRU, RNN.
  void add_recurrence(const onnx_read_node& n);
  // A Loop whose step is that of a GRU or an RNN.
  void add_loop(const onnx_read_node& n);
  // ReverseSequence, and a Slice whose step is -1.
  bool add_reversed(const onnx_read_node& n);
  // One layer of both directions for two of one, the second between reversed steps.
  void join_directions();
  // The edge of a state [layers, batch, features] of one layer in one direction: an input, or `node.h_n`; -1: it is none.
  int layered_state(const edge_view& v);

 private:
  edge_view reversed(const onnx_read_node& n, const edge_view& x, std::size_t dimension);
  void check_weights(const onnx_read_node& n, const recurrent_weights& w) const;
  std::vector<int> with_starts(const onnx_read_node& n, int x, const std::vector<std::size_t>& states);
  bool is_sequence(const edge_view& x) const;
  const onnx_read_node& reader_of_steps(const onnx_read_node& n, const onnx_read_graph& body) const;
  std::size_t begin_step(const onnx_read_node& n, const onnx_read_graph& body, step_function& step) const;
  static bool is_counter(const value_read& first);
  void run_steps(const onnx_read_node& n, const onnx_read_graph& body, const std::string& index,
                 std::int64_t steps, step_function& step) const;
  // The layer, which reads x and perhaps states.
  int add_layer(const onnx_read_node& n, const recurrent_weights& w, const std::vector<int>& sources);
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_recurrences.ipp"
#endif
