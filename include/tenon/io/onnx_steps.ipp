// The bodies of onnx_steps.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/io/onnx_expressions.hpp"
#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon::inline v0_1::detail::onnx {

[[noreturn]] TENON_INLINE void refuse_step(const onnx_read_node& n, const std::string& what) {
  throw not_understood{n.described() + ", of a loop's step: " + what};
}

TENON_INLINE step_function::step_function(const onnx_read_graph& body, std::set<std::string> sequences,
                                          step_value x)
    : body_(body), sequences_(std::move(sequences)), x_(std::move(x)) {
  x_.sees_x = true;
  for (const auto& [name, c] : body.constants) set(name, c);
}
TENON_INLINE void step_function::set(const std::string& name, const onnx_array& constant) {
  step_value v{constant.shape, constant.numbers};
  if (constant.is_whole) v.numbers.assign(constant.integers.begin(), constant.integers.end());
  set(name, std::move(v));
}
TENON_INLINE const step_value& step_function::operator[](const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw not_understood{"a loop's step: '" + name + "' is not known in one step"};
  return found->second;
}
TENON_INLINE const step_value& step_function::input(const onnx_read_node& n, std::size_t k) const {
  if (k >= n.inputs.size()) refuse_step(n, "input " + std::to_string(k) + " is missing");
  return (*this)[n.inputs[k]];
}
TENON_INLINE std::vector<std::int64_t> step_function::whole(const onnx_read_node& n, std::size_t k) const {
  std::vector<std::int64_t> all;
  constexpr double most = 1e12;  // "up to the end"
  for (const double x : input(n, k).numbers)
    if (std::isnan(x)) refuse_step(n, "not a number, where a whole one is expected");
    else all.push_back(static_cast<std::int64_t>(std::clamp(x, -most, most)));
  return all;
}

TENON_INLINE void step_function::run() {
  for (const onnx_read_node& n : body_.nodes) {
    std::vector<step_value> made = results(n);
    for (std::size_t k = 0; k < n.outputs.size(); ++k) {
      if (k >= made.size()) refuse_step(n, "expected " + std::to_string(made.size()) + " results");
      for (std::size_t i = 0; i < n.inputs.size(); ++i)
        if (const auto v = values_.find(n.inputs[i]); v != values_.end()) {
          made[k].sees_x = made[k].sees_x || v->second.sees_x;
          made[k].sees_state = made[k].sees_state || v->second.sees_state;
        }
      values_[n.outputs[k]] = std::move(made[k]);
    }
  }
}

TENON_INLINE step_value step_function::part(const onnx_read_node& n, const step_value& v, std::int64_t axis,
                                            std::int64_t first, std::int64_t end) const {
  const auto rank = std::ssize(v.shape);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) refuse_step(n, "an axis that its input does not have");
  const auto at = static_cast<std::size_t>(axis);
  const std::int64_t size = v.shape[at];
  first = std::clamp<std::int64_t>(first < 0 ? first + size : first, 0, size);
  end = std::clamp<std::int64_t>(end < 0 ? end + size : end, first, size);
  step_value made{v.shape};
  made.shape[at] = end - first;
  std::int64_t behind = 1;
  for (std::size_t d = at + 1; d < v.shape.size(); ++d) behind *= v.shape[d];
  const std::int64_t outer = size * behind == 0 ? 0 : std::ssize(v.numbers) / (size * behind);
  for (std::int64_t o = 0; o < outer; ++o) {
    const auto row = v.numbers.begin() + o * size * behind;
    made.numbers.insert(made.numbers.end(), row + first * behind, row + end * behind);
  }
  return made;
}
TENON_INLINE step_value step_function::product(const onnx_read_node& n) const {
  const step_value &a = input(n, 0), &b = input(n, 1);
  if (b.shape.size() != 2 || std::ssize(a.numbers) != b.shape[0])
    refuse_step(n, "expected a row and a matrix that fit each other");
  const std::int64_t columns = b.shape[1];
  step_value made{{1, columns}, numbers(static_cast<std::size_t>(columns), 0.0)};
  for (std::int64_t row = 0; row < b.shape[0]; ++row)
    for (std::int64_t c = 0; c < columns; ++c)
      made.numbers[static_cast<std::size_t>(c)] +=
          a.numbers[static_cast<std::size_t>(row)] * b.numbers[static_cast<std::size_t>(row * columns + c)];
  return made;
}
TENON_INLINE step_value step_function::elementwise(const onnx_read_node& n) const {
  const step_value &a = input(n, 0), &b = input(n, n.inputs.size() > 1 ? 1 : 0);
  const std::size_t p = a.numbers.size(), q = b.numbers.size();
  if (p == 0 || q == 0 || (p != q && p != 1 && q != 1)) refuse_step(n, "of unlike sizes");
  const std::string form = form_of(n);
  const auto apply = [&](double x, double y) {
    if (n.type == "Less") return x < y ? 1.0 : 0.0;
    if (n.type == "And") return x != 0 && y != 0 ? 1.0 : 0.0;
    return value_of_form(form, x, y);
  };
  step_value made{p >= q && a.shape.size() >= b.shape.size() ? a.shape : b.shape};
  for (std::size_t k = 0; k < std::max(p, q); ++k) {
    made.numbers.push_back(apply(a.numbers[p == 1 ? 0 : k], b.numbers[q == 1 ? 0 : k]));
    if (std::isnan(made.numbers.back())) refuse_step(n, "this operator is not understood");
  }
  return made;
}

TENON_INLINE std::vector<step_value> step_function::results(const onnx_read_node& n) const {
  const auto attribute = [&](const char* name, std::int64_t otherwise) {
    const auto found = n.attributes.find(name);
    return found == n.attributes.end() ? otherwise : found->second.integer;
  };
  if (n.type == "Gather" && !n.inputs.empty() && sequences_.contains(n.inputs[0])) {
    if (attribute("axis", 0) != 0) refuse_step(n, "reads a sequence along another dimension than its steps");
    return {x_};
  }
  if (n.type == "Identity" || n.type == "Cast") return {input(n, 0)};
  if (n.type == "MatMul") return {product(n)};
  if (n.type == "Squeeze" || n.type == "Unsqueeze" || n.type == "Reshape") {  // one row stays one
    step_value v = input(n, 0);
    if (n.type == "Squeeze" && !v.shape.empty() && v.shape[0] == 1) v.shape.erase(v.shape.begin());
    else v.shape = {1, std::ssize(v.numbers)};
    return {v};
  }
  if (n.type == "Slice") {
    const std::vector<std::int64_t> first = whole(n, 1), end = whole(n, 2);
    std::vector<std::int64_t> axes(first.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (n.inputs.size() > 3) axes = whole(n, 3);
    step_value v = input(n, 0);
    if (end.size() != first.size() || axes.size() != first.size() || n.inputs.size() > 4)
      refuse_step(n, "expected a first and an end for each axis, and no steps");
    for (std::size_t k = 0; k < first.size(); ++k) v = part(n, v, axes[k], first[k], end[k]);
    return {v};
  }
  if (n.type == "Split") {
    const step_value& v = input(n, 0);
    std::int64_t axis = attribute("axis", 0);
    if (axis < 0) axis += std::ssize(v.shape);
    if (axis < 0 || axis >= std::ssize(v.shape)) refuse_step(n, "an axis that its input does not have");
    const std::int64_t size = v.shape[static_cast<std::size_t>(axis)], count = std::ssize(n.outputs);
    std::vector<std::int64_t> sizes(n.outputs.size(), count > 0 ? size / count : 0);
    if (n.inputs.size() > 1) sizes = whole(n, 1);
    std::vector<step_value> parts;
    std::int64_t first = 0;
    for (const std::int64_t s : sizes) {
      if (s < 0 || first + s > size) refuse_step(n, "parts that its input does not have");
      parts.push_back(part(n, v, axis, first, first + s));
      first += s;
    }
    return parts;
  }
  return {elementwise(n)};
}

// --- which cell it is -----------------------------------------------------------------------------------------

TENON_INLINE const step_value* step_function::matrix(bool of_state) const {
  const step_value* found = nullptr;
  for (const onnx_read_node& n : body_.nodes) {
    if (n.type != "MatMul") continue;
    const step_value &a = input(n, 0), &b = input(n, 1);
    if (a.sees_x == of_state || a.sees_state != of_state || b.sees_x || b.sees_state) continue;
    if (found != nullptr) return nullptr;
    found = &b;
  }
  return found;
}
TENON_INLINE const step_value* step_function::bias(bool of_state, std::int64_t size) const {
  for (const onnx_read_node& n : body_.nodes)
    for (const std::size_t k : {std::size_t(0), std::size_t(1)})
      if (n.type == "Add") {
        const step_value &a = input(n, k), &b = input(n, 1 - k);
        const bool is_of_it = of_state ? a.sees_state && !a.sees_x : a.sees_x;
        if (is_of_it && !b.sees_x && !b.sees_state && std::ssize(b.numbers) == size) return &b;
      }
  return nullptr;
}

TENON_INLINE step_function::numbers step_function::next_state(const recurrent_weights& w, const numbers& x,
                                                              const numbers& h) {
  const std::int64_t H = w.hidden(), rows = w.gates() * H;
  const auto times = [&](const onnx_array& m, const numbers& v, std::int64_t row) {
    return std::inner_product(v.begin(), v.end(), m.numbers.begin() + row * std::ssize(v), 0.0);
  };
  const auto at_bias = [&](std::int64_t k) { return w.B ? w.B->numbers[static_cast<std::size_t>(k)] : 0.0; };
  const auto of_x = [&](std::int64_t row) { return times(w.W, x, row) + at_bias(row); };
  const auto of_h = [&](std::int64_t row) { return times(w.R, h, row) + at_bias(rows + row); };
  numbers after;
  for (std::int64_t k = 0; k < H; ++k) {
    const double before = h[static_cast<std::size_t>(k)];
    if (w.type == "GRU") {
      const double z = value_of_form("sigmoid(%0)", of_x(k) + of_h(k), 0),
                   r = value_of_form("sigmoid(%0)", of_x(H + k) + of_h(H + k), 0);
      after.push_back((1 - z) * std::tanh(of_x(2 * H + k) + r * of_h(2 * H + k)) + z * before);
    } else {
      onnx_read_node activation;
      activation.type = w.activation;
      after.push_back(value_of_form(form_of(activation), of_x(k) + of_h(k), 0));
    }
  }
  return after;
}

// Functions that are equal for some numbers, such as relu and no activation, differ for others.
TENON_INLINE std::vector<step_function::probe> step_function::probes(const std::string& state,
                                                                     const std::string& after) {
  const step_value x = x_, before = (*this)[state];
  std::vector<probe> all;
  for (const double by : {-1000.0, -30.0, -1.0, 30.0, 1000.0, 1.0}) {  // the last as it was
    step_value h = before;
    for (double& number : h.numbers) number *= by;
    for (std::size_t k = 0; k < x.numbers.size(); ++k) x_.numbers[k] = by * x.numbers[k];
    set(state, h);
    run();
    all.push_back({x_.numbers, h.numbers, (*this)[after].numbers});
  }
  return all;
}
TENON_INLINE bool step_function::computes(const recurrent_weights& w, const std::vector<probe>& all) {
  return std::all_of(all.begin(), all.end(), [&](const probe& p) {
    const numbers wanted = next_state(w, p.x, p.before);
    return std::equal(wanted.begin(), wanted.end(), p.after.begin(), p.after.end(),
                      [](double a, double b) { return std::abs(a - b) < 1e-9 * (1 + std::abs(a)); });
  });
}
TENON_INLINE std::optional<recurrent_weights> step_function::cell(const std::string& state,
                                                                  const std::string& after) {
  const std::vector<probe> probed = probes(state, after);
  const step_value *W = matrix(false), *R = matrix(true), &h = (*this)[state], &made = (*this)[after];
  const auto H = std::ssize(h.numbers), F = std::ssize(x_.numbers);
  if (W == nullptr || R == nullptr || H == 0 || W->shape[0] != F || R->shape[0] != H ||
      W->shape[1] != R->shape[1] || std::ssize(made.numbers) != H)
    return {};
  const std::int64_t gates = W->shape[1] / H;
  if ((gates != 1 && gates != 3) || W->shape[1] != gates * H) return {};
  const step_value *b_x = bias(false, gates * H), *b_h = bias(true, gates * H);
  std::vector<std::int64_t> order(static_cast<std::size_t>(gates));
  std::iota(order.begin(), order.end(), 0);
  do {
    const auto rows = [&](const step_value& m) {  // the matrix turned, with the gates in this order
      onnx_array turned{{1, gates * H, m.shape[0]}};
      for (const std::int64_t gate : order)
        for (std::int64_t row = gate * H; row < (gate + 1) * H; ++row)
          for (std::int64_t c = 0; c < m.shape[0]; ++c)
            turned.numbers.push_back(m.numbers[static_cast<std::size_t>(c * m.shape[1] + row)]);
      return turned;
    };
    recurrent_weights w{.type = gates == 3 ? "GRU" : "RNN", .W = rows(*W), .R = rows(*R)};
    if (b_x != nullptr || b_h != nullptr) {
      w.B = onnx_array{{1, 2 * gates * H}};
      for (const step_value* const b : {b_x, b_h})
        for (const std::int64_t gate : order)
          for (std::int64_t k = gate * H; k < (gate + 1) * H; ++k)
            w.B->numbers.push_back(b == nullptr ? 0 : b->numbers[static_cast<std::size_t>(k)]);
    }
    for (const char* const activation : {"Tanh", "Relu", "Sigmoid"}) {
      w.activation = activation;
      if (computes(w, probed)) return w;
      if (gates == 3) break;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return {};
}

}  // namespace tenon::inline v0_1::detail::onnx
