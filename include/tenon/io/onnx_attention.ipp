// The bodies of onnx_attention.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

// Which steps a row has, as an equation sees it; empty: all.
TENON_INLINE std::string onnx_attention::mask(dimension d, const place& at) {
  const std::string& of_axis = time_of(at.axis_of(d)).mask;
  if (of_axis.empty()) return {};
  return unsqueezed(of_axis,
                    d == dimension::time ? std::vector<std::int64_t>{2, 3} : std::vector<std::int64_t>{1, 3});
}

TENON_INLINE std::string onnx_attention::cleared(const value& v, dimension d, const place& at,
                                                 double past_end) {
  const std::string there = mask(d, at);
  return there.empty() ? v.name : node("Where", {there, v.name, real(past_end)});
}

// A value that does not vary along one of the axes, [batch, steps, groups, features of a group], with its axes in this order.
TENON_INLINE std::string onnx_attention::in_groups(const value& x, int groups, dimension without,
                                                   const std::vector<std::int64_t>& order) {
  const std::string steps = squeezed(x.name, {onnx::axis_of(without)});
  return transposed(node("Reshape", {steps, whole_numbers({0, 0, groups, x.size / groups})}), order);
}

TENON_INLINE onnx_attention::value onnx_attention::of_heads(const std::string& heads, domain where,
                                                            int groups) {
  return {transposed(heads, {0, 2, 3, 1}), where, groups, heads};
}

// Products of the groups of features of a and b, which are side by side.
TENON_INLINE onnx_attention::value onnx_attention::pair_dot(const ir::instruction& i, const value& a,
                                                            const value& b, domain where) {
  if (!ir::has_axis(a.where, dimension::inner) && !ir::has_axis(b.where, dimension::time))
    return of_heads(node("MatMul", {in_groups(a, i.count, dimension::inner, {0, 2, 1, 3}),
                                    in_groups(b, i.count, dimension::time, {0, 2, 3, 1})}),
                    where, i.count);
  const auto divided = [&](const value& x) {
    return node("Reshape", {x.name, whole_numbers({0, 0, 0, i.count, x.size / i.count})});
  };
  return {squeezed(reduced("ReduceSum", node("Mul", {divided(a), divided(b)}), -1), {4}), where, i.count};
}

TENON_INLINE onnx_attention::value onnx_attention::softmax_along(dimension d, const value& a,
                                                                 const place& at) {
  if (a.heads.empty() || d != dimension::inner) {
    const std::string weights = node("Softmax", {cleared(a, d, at, lowest)}, {{"axis", onnx::axis_of(d)}});
    return {cleared({weights, a.where, a.size}, d, at), a.where, a.size};
  }
  const std::string& of_axis = time_of(at.axis_of(d)).mask;
  const std::string there = of_axis.empty() ? std::string() : unsqueezed(of_axis, {1, 2});
  const auto with = [&](const std::string& x, double past_end) {
    return there.empty() ? x : node("Where", {there, x, real(past_end)});
  };
  const std::string weights = node("Softmax", {with(a.heads, lowest)}, {{"axis", onnx::whole(-1)}});
  return of_heads(with(weights, 0), a.where, a.size);
}

TENON_INLINE onnx_attention::value onnx_attention::chosen(const value& condition, const value& yes,
                                                          const value& no, domain where, int size) {
  const std::string holds = node("Greater", {condition.name, real(0)});
  const bool are_scores = condition.size == 1 && condition.where != domain::free &&
                          yes.where == domain::free && yes.size == 1 && !no.heads.empty();
  if (are_scores)
    return of_heads(node("Where", {transposed(holds, {0, 3, 1, 2}), yes.name, no.heads}), where, size);
  return {node("Where", {holds, yes.name, no.name}), where, size};
}

TENON_INLINE onnx_attention::value onnx_attention::pair_sum(const ir::instruction& i, const value& a,
                                                            const value& b, const place& at, domain where) {
  const dimension d = ir::axis_of(i);
  const std::string values = cleared(b, d, at);
  if (d == dimension::inner && !ir::has_axis(b.where, dimension::time)) {
    const std::string weights = a.heads.empty() ? transposed(cleared(a, d, at), {0, 3, 1, 2}) : a.heads;
    const std::string found = node(
        "MatMul", {weights, in_groups({values, b.where, b.size}, i.count, dimension::time, {0, 2, 1, 3})});
    return {node("Reshape", {transposed(found, {0, 2, 1, 3}), whole_numbers({0, 0, 1, b.size})}), where,
            i.size};
  }
  const std::string groups = node("Reshape", {values, whole_numbers({0, 0, 0, i.count, b.size / i.count})});
  const std::string sums =
      reduced("ReduceSum", node("Mul", {unsqueezed(cleared(a, d, at), {4}), groups}), onnx::axis_of(d));
  return {node("Reshape", {sums, whole_numbers({0, 0, 0, b.size})}), where, i.size};
}

}  // namespace tenon::inline v0_1::detail
