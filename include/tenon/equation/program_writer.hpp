// program_writer: a program while it is written. It finds equal lines, knows along which axes each value varies, and
// checks that there is room for more.
#pragma once

#include "tenon/diagnostics/problem.hpp"
#include "tenon/program/program.hpp"

namespace tenon::inline v0_1::ir {

struct program_writer {
  program written;
  problem wrong{};
  label axes[2]{};    // the names of the inputs' time axis and inner axis; empty: there is none
  bool is_grid[2]{};  // is that axis a grid? Then no place has a step before it
  int bound[2]{};     // the most steps of that axis

  constexpr int size(int k) const { return written.code[k].size; }
  constexpr domain domain_at(int k) {
    while (domains_.size <= k)
      domains_.add(domain_of(written.varies, written.code[domains_.size], domains_.kept.all));
    return domains_[k];
  }
  constexpr label& name_of(dimension axis) { return axes[static_cast<int>(axis)]; }
  constexpr bool has_axis(int k, dimension axis) {
    return written.varies.size > 0 && ir::has_axis(domain_at(k), axis);
  }
  constexpr bool has_axis(int k) { return has_axis(k, dimension::time) || has_axis(k, dimension::inner); }
  constexpr const instruction& operator[](int k) const { return written.code[k]; }

  constexpr void fail(const problem& p) {
    if (!wrong) wrong = p;
  }

  // Value k must have n features; an open size is set to n.
  constexpr void require_size(int k, int n, const char* rule) {
    if (size(k) == 0) written.code[k].size = n;
    if (size(k) != n)
      fail({.rule = rule,
            .axis = "features",
            .expected = n,
            .got = size(k),
            .fix = "a result has the size it is used with"});
  }

  // Adds a new line, even if an equal one exists.
  constexpr int add(const instruction& i) {
    if (!has_room(written.code.size, max_instructions, "instructions")) return 0;
    return written.code.add(i);
  }

  // Index of the symbol with this letter and gate, which is added at its first use.
  constexpr int find_symbol(const symbol& s) {
    for (int k = 0; k < written.symbols.size; ++k)
      if (written.symbols[k].same_name(s)) return k;
    return has_room(written.symbols.size, max_symbols, "symbols") ? written.symbols.add(s) : 0;
  }

  // A constant, or one widened.
  constexpr bool is_number(int k) const {
    const instruction& i = written.code[k];
    return i.code == opcode::copy && !is_spread(i) ? is_number(i.a) : i.code == opcode::constant && i.a < 0;
  }
  constexpr double number(int k) const {
    return written.code[k].code == opcode::copy ? number(written.code[k].a) : written.code[k].number;
  }
  constexpr bool is_number(int k, double n) const { return is_number(k) && number(k) == n; }

  static constexpr instruction line(opcode code, int a, int b = -1, int c = -1) {
    return {.code = code, .a = short(a), .b = short(b), .c = short(c)};
  }

 protected:
  // Lines with one hash form a chain, the latest first. This keeps a long equation within clang's limit for a
  // constant expression.
  static constexpr int hashes = 128;
  short latest_[hashes]{}, earlier_[max_instructions]{};  // number of a line plus 1; 0: none
  int chained_ = 0;                                       // lines
  list<domain, max_instructions> domains_;                // of the lines up to the last one asked for
  bool is_full_ = false;

  static constexpr int hash_of(const instruction& i) {
    return ((i.a + 1) * 5 + (i.b + 1) * 23 + i.c + 1 + int(i.code) * 3 + (i.first & 127) * 7) & (hashes - 1);
  }
  constexpr int find_equal(const instruction& i) {
    for (; chained_ < written.code.size; ++chained_) {
      short& latest = latest_[hash_of(written.code[chained_])];
      earlier_[chained_] = latest;
      latest = static_cast<short>(chained_ + 1);
    }
    int first = -1;
    for (int k = latest_[hash_of(i)] - 1; k >= 0; k = earlier_[k] - 1)
      if (k < written.code.size && written.code[k].same(i)) first = k;
    return first;
  }
  constexpr bool has_room(int size, int capacity, const char* what) {
    if (size < capacity) return true;
    is_full_ = true;
    fail({.rule = sentence("the equation has more than ").append(capacity).append(" ").append(what),
          .fix = "make two nodes of it: a graph has room for more"});
    return false;
  }

  constexpr int size_of(const instruction& i) const {
    if (i.code == opcode::row_sum || i.code == opcode::row_max || i.code == opcode::constant) return 1;
    if (i.code == opcode::pair_dot) return i.count;
    if (is_over_axis(i.code))
      return size(i.code == opcode::weighted_sum || i.code == opcode::pair_sum ? i.b : i.a);
    if (i.code == opcode::turn) return size(i.a);
    if (i.code == opcode::concat) return size(i.a) > 0 && size(i.b) > 0 ? size(i.a) + size(i.b) : 0;
    if (!is_elementwise(i.code)) return 0;
    int widest = 0;
    bool known = true;
    for_operands(i, [&](int k) {
      if (size(k) == 0) known = false;
      if (size(k) > widest) widest = size(k);
    });
    return known || widest > 1 ? widest : 0;
  }

  // Merges the row counts of two uses of one product; fails if both give a number and these differ.
  constexpr void agree(int& rows, const instruction& i) {
    if (rows > 0 && i.size > 0 && rows != i.size)
      fail({.rule = "a matrix is used with two output sizes:",
            .axis = "features",
            .expected = rows,
            .got = i.size,
            .source = written_as(written.symbols[i.first]),
            .fix = "a symbol has one shape: give the second use a name of its own"});
    if (rows == 0) rows = i.size;
  }
};

}  // namespace tenon::inline v0_1::ir
