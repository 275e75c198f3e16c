// Size inference: the sizes that an equation leaves open (the rows of W<"z">(x), the length of b<"z">) follow
// from the known ones. Sizes are passed along elementwise operations in both directions until nothing changes;
// a value that broadcasts has size 1.
#pragma once

#include "tenon/equation/tape.hpp"

namespace tenon::inline v0_1::ir {

// The most features of a value. It keeps a layer's products of such sizes from overflowing.
inline constexpr int widest_value = 1 << 24;

namespace detail {

// The value that the size of value k comes from: for sigmoid(concat(a, b)) it is the concat.
constexpr int origin_of_size(const program_view& p, int k) {
  for (;;) {
    if (!is_elementwise(p.code[k].code)) return k;
    int from = -1, same = 0;
    for_operands(p.code[k], [&](int o) {
      if (p.code[o].size == p.code[k].size) {
        from = o;
        ++same;
      }
    });
    if (same != 1) return k;
    k = from;
  }
}

struct inference {
  program& p;
  problem wrong{};
  bool changed = false;

  constexpr int& size(int k) { return p.code[k].size; }

  // A size is 0, and the columns of a symbol are negative, as long as they are open.
  constexpr void learn_number(int& number, int n) {
    if (number > 0 || n <= 0) return;
    number = n;
    changed = true;
  }
  constexpr void learn(int k, int n) { learn_number(size(k), n); }

  constexpr void visit(int k) {
    const instruction i = p.code[k];
    if (i.code == opcode::matmul || i.code == opcode::vector) {
      symbol& s = p.symbols[i.first];
      learn_number(s.rows, size(k));
      learn(k, s.rows);
      if (i.code == opcode::matmul && s.columns < 0) learn_number(s.columns, size(i.a));
    } else if (i.code == opcode::concat) {
      if (size(i.a) > 0 && size(i.b) > 0) learn(k, size(i.a) + size(i.b));
      else if (size(k) > 0 && size(i.a) > 0) learn(i.b, size(k) - size(i.a));
      else if (size(k) > 0 && size(i.b) > 0) learn(i.a, size(k) - size(i.b));
    } else if (i.code == opcode::turn ||
               (is_over_axis(i.code) && i.code != opcode::pair_sum && i.code != opcode::as_features)) {
      learn(k, size(i.a));
      learn(i.a, size(k));
    } else if (is_elementwise(i.code)) {
      visit_elementwise(k, i);
    }
  }
  constexpr void visit_elementwise(int k, const instruction& i) {
    int widest = 0, unknown = 0, unknown_operand = -1;
    for_operands(i, [&](int o) {
      if (size(o) > widest) widest = size(o);
      if (size(o) == 0) {
        ++unknown;
        unknown_operand = o;
      }
    });
    if (widest > 1 || unknown == 0) learn(k, widest);
    if (size(k) == 1) for_operands(i, [&](int o) { learn(o, 1); });
    if (unknown == 1 && size(k) > widest) learn(unknown_operand, size(k));
  }
  // If operands are open and any of them could broadcast, the first is assumed to be as wide as the result. Goes from
  // the last instruction to the first, so that one sweep covers a whole formula.
  constexpr bool assume_from_results() {
    bool assumed = false;
    for (int k = p.code.size - 1; k >= 0; --k) {
      visit(k);
      if (!is_elementwise(p.code[k].code) || size(k) == 0) continue;
      int open = -1;
      for_operands(p.code[k], [&](int o) {
        if (size(o) == 0 && open < 0) open = o;
      });
      if (open >= 0) {
        learn(open, size(k));
        assumed = true;
      }
    }
    return assumed;
  }
  // If the result is open too, it is assumed to have size 1 like the operand that is known: r * h with one
  // hidden unit.
  constexpr bool assume_from_operands() {
    for (int k = 0; k < p.code.size; ++k) {
      if (!is_elementwise(p.code[k].code) || size(k) > 0) continue;
      bool known = false;
      for_operands(p.code[k],
                   [&](int o) { known = known || (size(o) > 0 && p.code[o].code != opcode::constant); });
      if (known) {
        learn(k, 1);
        return true;
      }
    }
    return false;
  }

  constexpr void fail_shared(const symbol& s) {
    fail(sentence("one name for a matrix and a vector: '").append(written_as(s).view()).append("'"), "", 0, 0,
         {}, "give one of them a name of its own");
  }
  constexpr void fail(const sentence& rule, const char* axis, int expected, int got, const name& source,
                      const char* fix) {
    if (!wrong)
      wrong = {.rule = rule, .axis = axis, .expected = expected, .got = got, .source = source, .fix = fix};
  }
  constexpr void check(int k) {
    const instruction& i = p.code[k];
    if (size(k) == 0)
      return fail(sentence("the size of '").append(described(p, k).view()).append("' is open"), "", 0, 0, {},
                  "write the rows down, W<\"gate\", rows>(x), or use it beside a known size");
    if (size(k) > widest_value)
      return fail(sentence("'").append(described(p, k).view()).append("' is wider than"), "features",
                  widest_value, size(k), {}, "write a size that fits into memory");
    if (i.code == opcode::matmul) {
      const symbol& s = p.symbols[i.first];
      if (s.columns == 0) return fail_shared(s);
      const char* fix = "a symbol has one shape: give the second use a name of its own";
      if (s.columns != size(i.a))
        fail("a matrix is used with two input sizes:", "features", s.columns, size(i.a), written_as(s), fix);
      if (s.rows != size(k))
        fail("a matrix is used with two output sizes:", "features", s.rows, size(k), written_as(s), fix);
    } else if (i.code == opcode::vector) {
      const symbol& s = p.symbols[i.first];
      if (s.columns != 0) fail_shared(s);
    } else if (i.code == opcode::slice) {
      if (i.first + i.size > size(i.a))
        fail("a slice reaches past the end:", "features", i.first + i.size, size(i.a), described(p, i.a),
             "first + size is at most the value's size");
    } else if (is_elementwise(i.code)) {
      for_operands(i, [&](int o) {
        if (size(o) == 1 || size(o) == size(k)) return;
        if (p.code[o].code == opcode::vector)
          fail("a vector is used with two sizes:", "features", size(k), size(o),
               written_as(p.symbols[p.code[o].first]),
               "a symbol has one shape: give the second use a name of its own");
        else
          fail("elementwise operands differ:", "features", size(k), size(o),
               described(p, origin_of_size(p, o)), "make both the same size, or one of size 1");
      });
    }
  }
};

}  // namespace detail

// Fills in all sizes of p. Output o must have outputs[o] features (0: any number).
template <int N>
constexpr problem infer_sizes(program& p, const list<int, N>& outputs) {
  detail::inference run{p};
  for (int o = 0; o < outputs.size && o < p.outputs.size; ++o) run.learn(p.outputs[o], outputs[o]);
  do {
    do {
      run.changed = false;
      for (int k = 0; k < p.code.size; ++k) run.visit(k);
      for (int k = p.code.size - 1; k >= 0; --k) run.visit(k);
    } while (run.changed);
  } while (run.assume_from_results() || run.assume_from_operands());
  for (int k = 0; k < p.code.size; ++k) run.check(k);
  for (int o = 0; o < outputs.size && o < p.outputs.size; ++o) {
    const int got = p.code[p.outputs[o]].size;
    if (outputs[o] > 0 && got != 1 && got != outputs[o])
      run.fail("the equation's result must have", "features", outputs[o], got, described(p, p.outputs[o]),
               "a result has the size it is used with");
  }
  return run.wrong;
}

}  // namespace tenon::inline v0_1::ir
