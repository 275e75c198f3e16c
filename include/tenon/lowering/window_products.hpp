// window_products: products of windows that are read in place. An operation that only multiplies the neighbours of each
// window does not need them copied side by side.
#pragma once

#include "tenon/lowering/schedule.hpp"

namespace tenon::inline v0_1::ir {

// The schedule of a program, or of its gradient, whose first input is windows of `neighbours`, read by one product.
constexpr schedule with_window_products(schedule s, int neighbours, bool gives_adjoint) {
  const program_view& p = s.equations;
  const int x = p.input_value(0);
  for (kernel& k : s.kernels) {
    if (k.kind == kernel_kind::map) continue;
    const instruction& i = p.code[k.value];
    const bool reads =
        (k.kind == kernel_kind::matmul && i.a == x) || (k.kind == kernel_kind::gradient_outer && i.b == x);
    const bool makes = k.kind == kernel_kind::matmul_transposed && gives_adjoint && p.outputs[0] == k.value;
    if (reads || makes) k.neighbours = neighbours;
  }
  return s;
}

// Can some windows go through all kernels before the next ones? Then their sums stay in the cache for the map.
constexpr bool runs_in_blocks_of_windows(const schedule_view& s) {
  bool multiplies = false, may = true;
  for (const kernel& k : s.kernels) {
    const bool multiplies_windows = k.kind == kernel_kind::matmul && k.neighbours > 0;
    multiplies = multiplies || multiplies_windows;
    may = may && k.when != phase::once && k.over == domain::rows &&
          (multiplies_windows || k.kind == kernel_kind::map);
  }
  return multiplies && may;
}

}  // namespace tenon::inline v0_1::ir
