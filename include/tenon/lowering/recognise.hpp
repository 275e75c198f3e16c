// recognise: finds parts of a program for which there is a kernel of their own.
#pragma once

#include "tenon/equation/rewrite.hpp"

namespace tenon::inline v0_1::ir {

namespace detail {

constexpr int readers_of(const program_view& p, int k) {
  int readers = 0;
  for (const instruction& i : p.code) for_operands(i, [&](int o) { readers += o == k; });
  for (int o : p.outputs) readers += o == k;
  return readers;
}
// sum_t w_t v_t, where w is the softmax of one score at each position, and v is in memory anyway: {w, v}.
struct weighted {
  int weights = -1, values = -1;
};
constexpr weighted weighted_sum_at(const program_view& p, int k, const domain* domains) {
  if (p.code[k].code != opcode::axis_sum || adds_up_in_loop(p.code[k], domains)) return {};
  const instruction& product = p.code[p.code[k].a];
  if (product.code != opcode::multiply || readers_of(p, p.code[k].a) != 1) return {};
  const weighted either[]{{product.a, product.b}, {product.b, product.a}};
  for (const auto& [w, v] : either) {
    const bool leaves_the_loop = domains[v] == domain::inner && domains[w] == domain::both;
    const bool stands = p.code[v].code == opcode::input || is_heavy(p.code[v].code) || leaves_the_loop;
    if (!has_axis(domains[v], axis_of(p.code[k])) || !stands) continue;
    if (p.code[w].code == opcode::axis_softmax && p.code[w].size == 1) return {w, v};
  }
  return {};
}

}  // namespace detail

// The same program, with sums over an axis of softmax weights times values as weighted sums, which store no products.
constexpr program with_weighted_sums(program p) {
  bool found = false;
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) {
    domains[k] = domain_of(p.varies, p.code[k], domains);
    const detail::weighted sum = detail::weighted_sum_at(p, k, domains);
    if (sum.weights < 0) continue;
    p.code[k] = {.code = opcode::weighted_sum,
                 .a = short(sum.weights),
                 .b = short(sum.values),
                 .first = p.code[k].first,
                 .size = p.code[k].size};
    found = true;
  }
  return found ? eliminate_dead_code(p) : p;
}

}  // namespace tenon::inline v0_1::ir
