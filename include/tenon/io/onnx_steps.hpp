// onnx_steps: the step of a Loop as a function of numbers, and which recurrent cell computes the same. Exporters write a cell in many ways; it is
// recognised by what it computes.
#pragma once

#include "tenon/io/onnx_reader.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::detail::onnx {

// The weights of a layer as ONNX has them: W [directions, gates * hidden, in], R [directions, gates * hidden, hidden], B [directions, 2 * gates *
// hidden]; gates i o f c of an LSTM, z r h of a GRU.
struct recurrent_weights {
  std::string type{};               // LSTM, GRU, RNN
  std::string activation = "Tanh";  // of an RNN: Tanh, Relu, Sigmoid
  onnx_array W{}, R{};
  std::optional<onnx_array> B{};
  bool resets_state = false;  // a GRU whose reset gate is in front of the product: linear_before_reset 0

  std::int64_t gates() const { return type == "LSTM" ? 4 : type == "GRU" ? 3 : 1; }
  std::int64_t directions() const { return W.shape[0]; }
  std::int64_t in() const { return W.shape[2]; }
  std::int64_t hidden() const { return R.shape[2]; }
};

// Numbers of one row, whole ones too, and whether they follow from x or from a state.
struct step_value {
  std::vector<std::int64_t> shape{};
  std::vector<double> numbers{};
  bool sees_x = false, sees_state = false;
};

class step_function {
 public:
  // Of names in `sequences` a step reads x.
  step_function(const onnx_read_graph& body, std::set<std::string> sequences, step_value x);

  void set(const std::string& name, step_value v) { values_[name] = std::move(v); }
  void set(const std::string& name, const onnx_array& constant);
  // Computes the body's values. Throws not_understood for a node that computes no numbers of one row.
  void run();
  const step_value& operator[](const std::string& name) const;
  // The GRU or RNN that computes `after` from x and the state, also where both are larger, and of the other sign. Nothing: another cell.
  std::optional<recurrent_weights> cell(const std::string& state, const std::string& after);

 private:
  using numbers = std::vector<double>;
  const step_value& input(const onnx_read_node& n, std::size_t k) const;
  std::vector<std::int64_t> whole(const onnx_read_node& n, std::size_t k) const;
  std::vector<step_value> results(const onnx_read_node& n) const;
  step_value part(const onnx_read_node& n, const step_value& v, std::int64_t axis, std::int64_t first,
                  std::int64_t end) const;
  step_value product(const onnx_read_node& n) const;
  step_value elementwise(const onnx_read_node& n) const;
  // The only product with a constant of what follows from x alone, or from the state alone; and what is added to such.
  const step_value* matrix(bool of_state) const;
  const step_value* bias(bool of_state, std::int64_t size) const;
  static numbers next_state(const recurrent_weights& w, const numbers& x, const numbers& h);
  // x, a state, and the state that the body makes of them.
  struct probe {
    numbers x, before, after;
  };
  std::vector<probe> probes(const std::string& state, const std::string& after);
  static bool computes(const recurrent_weights& w, const std::vector<probe>& all);

  const onnx_read_graph& body_;
  std::set<std::string> sequences_;
  step_value x_;
  std::map<std::string, step_value> values_{};
};

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_steps.ipp"
#endif
