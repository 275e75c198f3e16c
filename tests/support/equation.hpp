// Small helpers of the compile-time tests: trace a lambda, count instructions, name a mistake.
#pragma once

#include <tenon/equation/trace_step.hpp>

#include <string_view>

namespace tenon::test {

using namespace tenon::ir;

/// The equation f, a lambda of as many values as there are sizes.
template <class F>
constexpr traced read(const sizes& features, F f, const sizes& wanted = {},
                      const storage_layout& layout = {}) {
  return trace(features, wanted, layout, [&](const auto& x) {
    return ir::detail::as_list(ir::detail::call<F, ir::detail::arity_of<F>()>(f, x));
  });
}
template <class F>
constexpr program program_of(const sizes& features, F f) {
  return read(features, f).equations;
}
constexpr int count(const program& p, opcode code) {
  int n = 0;
  for (const instruction& i : p.code) n += i.code == code ? 1 : 0;
  return n;
}
constexpr int output_size(const program& p, int o = 0) { return p.code[p.outputs[o]].size; }

/// Does the problem read like this?
constexpr bool says(const problem& p, std::string_view text) { return explain(p).view() == text; }

}  // namespace tenon::test
