// table: products of rows that are looked up in a table. For a row x of the table E, W x is a row of E W^T. So a
// table that is shorter than the sequence is multiplied instead of it, and gradients of equal rows are summed first.
#pragma once

#include "tenon/lowering/schedule.hpp"

namespace tenon::inline v0_1::ir {

// The contraction that is the only reader of an input, for every row; -1: something else reads it, too.
constexpr int sole_product(const program_view& p, int input) {
  const int x = p.input_value(input);
  int found = -1, readers = 0;
  for (int k = 0; k < p.code.size; ++k)
    for_operands(p.code[k], [&](int o) {
      if (o != x) return;
      ++readers;
      if (p.code[k].code == opcode::matmul) found = k;
    });
  const bool is_output = x >= 0 && p.outputs.find(x) >= 0;
  const bool varies = input >= p.varies.size || p.varies[input] == domain::rows;
  return x >= 0 && readers == 1 && !is_output && varies ? found : -1;
}

// The schedule of a program, or of its gradient, whose first input is rows of a table.
constexpr schedule with_table(schedule s) {
  const program_view& p = s.equations;
  const int x = p.input_value(0);
  for (kernel& k : s.kernels) {
    if (k.kind == kernel_kind::map) continue;
    const instruction& i = p.code[k.value];
    k.of_table =
        (k.kind == kernel_kind::matmul && i.a == x) || (k.kind == kernel_kind::gradient_outer && i.b == x);
    if (k.kind == kernel_kind::matmul_transposed && p.outputs[0] == k.value) k.of_table = true;
  }
  return s;
}

}  // namespace tenon::inline v0_1::ir
