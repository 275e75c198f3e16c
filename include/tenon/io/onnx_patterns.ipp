// The bodies of onnx_patterns.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/equation/trace_step.hpp"
#include "tenon/meta/inline.hpp"
#include "tenon/nn/activation.hpp"
#include "tenon/nn/cell/gru.hpp"
#include "tenon/nn/cell/lstm.hpp"
#include "tenon/nn/cell/rnn.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/normalization.hpp"

#include <limits>
#include <utility>

namespace tenon::inline v0_1::detail {

namespace onnx {
// A comparison of an equation's values with a pattern's, which binds inputs and symbols as it goes.
class comparison {
 public:
  comparison(const ir::program_view& p, const ir::program& pattern)
      : p_(p),
        pattern_(pattern),
        place_(static_cast<std::size_t>(pattern.code.size), -1),
        bound_{std::vector<int>(static_cast<std::size_t>(pattern.inputs.size), -1),
               std::vector<int>(static_cast<std::size_t>(pattern.symbols.size), -1)} {}

  // Does value k compute what value j of the pattern computes?
  bool is_same(int k, int j) {
    int& place = place_[static_cast<std::size_t>(j)];
    if (place >= 0) return place == k;
    place = k;
    const ir::instruction &i = p_.code[k], &q = pattern_.code[j];
    if (q.code == ir::opcode::input) {
      bound_.inputs[static_cast<std::size_t>(q.first)] = k;
      return i.size == q.size;
    }
    if (i.code != q.code || i.size != q.size || i.count != q.count || i.number != q.number) return false;
    if (q.code == ir::opcode::vector || q.code == ir::opcode::matmul) {
      for (int s = 0; s < (q.code == ir::opcode::vector ? 1 : q.count); ++s)
        if (!is_symbol(i.first + s, q.first + s)) return false;
    } else if (i.first != q.first) {
      return false;
    }
    const auto places = place_;
    const onnx_match bound = bound_;
    if (is_operand(i.a, q.a) && is_operand(i.b, q.b) && is_operand(i.c, q.c)) return true;
    if (!is_commutative(q.code)) return false;
    place_ = places;  // a compiler may write the operands in another order
    bound_ = bound;
    return is_operand(i.a, q.b) && is_operand(i.b, q.a);
  }
  onnx_match bound() const { return bound_; }

 private:
  const ir::program_view& p_;
  const ir::program& pattern_;
  std::vector<int> place_;  // of the pattern's values
  onnx_match bound_;

  static bool is_commutative(ir::opcode code) {
    return code == ir::opcode::add || code == ir::opcode::multiply || code == ir::opcode::maximum ||
           code == ir::opcode::equal;
  }
  bool is_operand(int k, int j) { return (k < 0) == (j < 0) && (k < 0 || is_same(k, j)); }
  bool is_symbol(int s, int of_pattern) {
    int& bound = bound_.symbols[static_cast<std::size_t>(of_pattern)];
    if (bound >= 0) return bound == s;
    bound = s;
    return p_.symbols[s].rows == pattern_.symbols[of_pattern].rows &&
           p_.symbols[s].columns == pattern_.symbols[of_pattern].columns;
  }
};

// The program of a function of one value with so many features.
template <class F>
ir::program traced_pattern(int features, const ir::storage_layout& layout, F f) {
  return ir::trace({features}, {}, layout, [&](const auto& x) { return ir::list<ir::value, 1>{f(x[0])}; })
      .equations;
}
}  // namespace onnx

TENON_INLINE onnx_match match_onnx(const ir::program_view& p, int k, const ir::program& pattern) {
  onnx::comparison with(p, pattern);
  return with.is_same(k, pattern.outputs[0]) ? with.bound() : onnx_match{};
}
TENON_INLINE onnx_match match_onnx(const ir::program_view& p, const ir::program& pattern) {
  if (p.inputs.size != pattern.inputs.size || p.outputs.size != pattern.outputs.size ||
      p.symbols.size != pattern.symbols.size || !p.own.empty())
    return {};
  onnx::comparison with(p, pattern);
  for (int o = 0; o < p.outputs.size; ++o)
    if (!with.is_same(p.outputs[o], pattern.outputs[o])) return {};
  const onnx_match found = with.bound();
  for (int i = 0; i < p.inputs.size; ++i)
    if (const int k = found.inputs[static_cast<std::size_t>(i)]; k < 0 || p.code[k].first != i) return {};
  return found;
}

namespace onnx {

TENON_INLINE operator_over_features over_features(const ir::program_view& p, int k, int opset) {
  const ir::instruction& i = p.code[k];
  const auto is = [&](const char* type, auto f) {
    return operator_over_features{type, match_onnx(p, k, traced_pattern(i.size, {}, f))};
  };
  operator_over_features found;
  if (i.code == ir::opcode::divide)
    found = is("Softmax", [](auto x) { return nn::activation::softmax::at(x); });
  if (i.code == ir::opcode::subtract)
    found = is("LogSoftmax", [](auto x) { return nn::activation::log_softmax::at(x); });
  if (i.code == ir::opcode::add)
    found = is("LayerNormalization", [](auto x) { return ir::value(nn::layer_norm::at(x)); });
  if (i.code == ir::opcode::multiply && opset >= 20)
    found = is("Gelu", [](auto x) { return nn::activation::gelu::at(x); });
  if (!found.of) found.type = nullptr;
  return found;
}

TENON_INLINE recurrent_operator recurrence(const ir::program_view& p) {
  if (p.inputs.size < 2 || p.outputs.size < 2) return {};
  const auto is = [&]<class Cell>(Cell, recurrent_operator found) {
    if (p.inputs.size != 1 + ir::state_count<Cell>) return recurrent_operator{};
    const ir::program step = ir::trace_step<Cell>(p.inputs[0], p.inputs[1]).equations;
    found.has_biases = true;
    found.of = match_onnx(p, ir::group_products(step));
    if (!found.of) {
      found.has_biases = false;
      found.of = match_onnx(
          p, ir::group_products(ir::order_symbols(ir::without_biases(step), ir::detail::layout_of<Cell>())));
    }
    return found.of ? found : recurrent_operator{};
  };
  using namespace nn::cells;
  if (const auto found = is(lstm{}, {"LSTM", nullptr, {0, 3, 1, 2}}); found.of)
    return found;  // i o f c of i f g o
  if (const auto found = is(gru{}, {"GRU", nullptr, {1, 0, 2}}); found.of) return found;  // z r h of r z n
  if (const auto found = is(rnn_tanh{}, {"RNN", "Tanh", {0}}); found.of) return found;
  if (const auto found = is(rnn_relu{}, {"RNN", "Relu", {0}}); found.of) return found;
  return is(rnn_sigmoid{}, {"RNN", "Sigmoid", {0}});
}

TENON_INLINE pool pool_over(const ir::program_view& p, int places, bool is_padded) {
  if (p.inputs.size != 1 || p.outputs.size != 1 || p.inputs[0] % places != 0) return pool::none;
  const int size = p.inputs[0] / places;
  const auto is = [&](bool largest) {
    return static_cast<bool>(match_onnx(p, traced_pattern(p.inputs[0], {}, [&](ir::value x) {
                                          const auto row = [&](int k) {
                                            return ir::value{x.on, x.on->slice(x.index, k * size, size)};
                                          };
                                          ir::value found = row(0);
                                          for (int k = 1; k < places; ++k)
                                            found = largest ? max(found, row(k)) : found + row(k);
                                          if (!largest) return found * (1.0 / places);
                                          constexpr double outside = std::numeric_limits<double>::lowest();
                                          return is_padded ? select(equal(found, outside), 0, found) : found;
                                        })));
  };
  return is(true) ? pool::largest : is(false) ? pool::mean : pool::none;
}

TENON_INLINE bool is_affine(const ir::program_view& p) {
  if (p.inputs.size != 1 || p.outputs.size != 1 || p.symbols.empty()) return false;
  const ir::instruction& y = p.code[p.outputs[0]];
  const bool has_bias = y.code == ir::opcode::add;
  const int product = has_bias ? y.a : p.outputs[0];
  return p.code.size == (has_bias ? 4 : 2) && p.code[product].code == ir::opcode::matmul &&
         p.code[product].count == 1 && p.code[p.code[product].a].code == ir::opcode::input &&
         (!has_bias || p.code[y.b].code == ir::opcode::vector);
}

}  // namespace onnx

}  // namespace tenon::inline v0_1::detail
