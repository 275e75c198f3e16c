// history: if each step is a run of its own, a program keeps the rows of this step that later steps read.
//
// turn(a), which puts the steps of a on the inner axis, becomes keep(a): the row of this step is stored after those of
// earlier steps, and the inner axis is the kept steps, one more at each step. shift<K>(a) along time, K steps ago,
// becomes earlier(keep(a), K). A history of N steps is a ring buffer: step n is in place n mod N.
//
// A history does not contain later steps. So a program can be run step by step if none of its values depends on later
// steps: reads_later finds a value that does.
#pragma once

#include "tenon/equation/rewrite.hpp"

namespace tenon::inline v0_1::ir {

constexpr bool looks_back(const instruction& i) {
  return i.code == opcode::turn || (i.code == opcode::shift && axis_of(i) == dimension::time && i.number > 0);
}
constexpr bool looks_back(const program_view& p) {
  for (const instruction& i : p.code)
    if (looks_back(i)) return true;
  return false;
}
// Does a step see all steps before it?
constexpr bool sees_all_earlier(const program_view& p) {
  for (const instruction& i : p.code)
    if (i.code == opcode::turn) return true;
  return false;
}

// The same program for `block` steps at a time, with at most `bound` steps.
constexpr program with_history(const program_view& p, int bound, int block = 1) {
  int kept[max_instructions]{};  // by value: the steps that are kept of it
  for (const instruction& i : p.code) {
    if (!looks_back(i)) continue;
    const int steps = i.code == opcode::turn ? bound : static_cast<int>(i.number) + block;
    if (steps > kept[i.a]) kept[i.a] = steps;
  }
  tape t;
  rewriter copy(p, t);
  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    if (!looks_back(i)) {
      copy.copy(k);
      continue;
    }
    instruction history{.code = opcode::keep, .a = short(copy.place[i.a]), .size = i.size};
    history.number = kept[i.a];
    copy.place[k] = t.emit(history);
    if (i.code == opcode::turn) continue;
    instruction back{.code = opcode::earlier, .a = short(copy.place[k]), .size = i.size};
    back.number = i.number;
    copy.place[k] = t.emit(back);
  }
  return eliminate_dead_code(copy.finish());
}

namespace detail {

// What is known about a value for a pair of a step t and an inner step s: inner * s + time * t + number, the same for
// all features.
struct known_of_pair {
  bool is_known = false;
  double inner = 0, time = 0, number = 0;

  constexpr bool is_number() const { return is_known && inner == 0 && time == 0; }
  constexpr bool is(double n) const { return is_number() && number == n; }
  // A score that hides the inner step: its softmax is 0.
  constexpr bool hides() const { return is_number() && number <= -1e20; }
};
constexpr known_of_pair known_number(double n) { return {.is_known = true, .number = n}; }
constexpr known_of_pair plus(const known_of_pair& a, const known_of_pair& b, double sign) {
  if (!a.is_known || !b.is_known) return {};
  return {true, a.inner + sign * b.inner, a.time + sign * b.time, a.number + sign * b.number};
}
constexpr known_of_pair times(const known_of_pair& a, const known_of_pair& b) {
  if (a.is(0) || b.is(0)) return known_number(0);
  if (!a.is_known || !b.is_known || (!a.is_number() && !b.is_number())) return {};
  const known_of_pair& form = a.is_number() ? b : a;
  const double n = a.is_number() ? a.number : b.number;
  return {true, n * form.inner, n * form.time, n * form.number};
}

// What is known about each value, either for the pair with inner step s = t, or for all pairs with a later one, s > t.
struct pairs_of_steps {
  program_view p;
  bool is_later;
  known_of_pair of[max_instructions]{};

  constexpr pairs_of_steps(const program_view& source, bool later) : p(source), is_later(later) {
    for (int k = 0; k < p.code.size; ++k) of[k] = at(p.code[k]);
  }

 private:
  // The range of x - y over all these pairs.
  struct bounds {
    double least = -1e300, most = 1e300;
  };
  constexpr bounds difference(const known_of_pair& x, const known_of_pair& y) const {
    const known_of_pair d = plus(x, y, -1);
    if (!d.is_known || d.inner != -d.time) return {};
    if (!is_later || d.inner == 0) return {d.number, d.number};
    const double next = d.number + d.inner;  // at s = t + 1
    return d.inner > 0 ? bounds{.least = next} : bounds{.most = next};
  }
  // A score that hides its pair still hides it when an unknown number is added.
  constexpr known_of_pair sum(const known_of_pair& a, const known_of_pair& b, double sign) const {
    if (a.is_known && b.is_known) return plus(a, b, sign);
    if (a.hides()) return a;
    return b.hides() && sign > 0 ? b : known_of_pair{};
  }
  constexpr known_of_pair at(const instruction& i) const {
    const auto operand = [&](int o) { return o < 0 ? known_of_pair{} : of[o]; };
    const known_of_pair a = operand(i.a), b = operand(i.b);
    switch (i.code) {
      case opcode::input: {
        const int own = i.first - (p.inputs.size - p.own.size);
        if (own < 0) return {};
        if (p.own[own].kind == own_input::position) return {.is_known = true, .time = 1};
        if (p.own[own].kind == own_input::inner_position) return {.is_known = true, .inner = 1};
        return {};
      }
      case opcode::constant:
        return known_number(i.number);
      case opcode::slice:
      case opcode::copy:
      case opcode::stop_gradient:
      case opcode::row_max:
        return a;
      case opcode::row_sum:
        return a.is(0) ? a : known_of_pair{};
      case opcode::concat:
        return a.is_number() && b.is(a.number) ? a : known_of_pair{};
      case opcode::negate:
        return times(a, known_number(-1));
      case opcode::add:
        return sum(a, b, 1);
      case opcode::subtract:
        return sum(a, b, -1);
      case opcode::multiply:
        return times(a, b);
      case opcode::divide:
        if (a.is(0)) return a;
        return b.is_number() && b.number != 0 ? times(a, known_number(1 / b.number)) : known_of_pair{};
      case opcode::greater: {
        const bounds d = difference(a, b);
        return d.least > 0 ? known_number(1) : d.most <= 0 ? known_number(0) : known_of_pair{};
      }
      case opcode::equal: {
        const bounds d = difference(a, b);
        if (d.least > 0 || d.most < 0) return known_number(0);
        return d.least == d.most ? known_number(1) : known_of_pair{};
      }
      case opcode::select:
        return a.is_number() ? operand(a.number > 0 ? i.b : i.c) : known_of_pair{};
      case opcode::exp:
        return a.hides() ? known_number(0) : known_of_pair{};
      case opcode::axis_softmax:
        return axis_of(i) == dimension::inner && a.hides() ? known_number(0) : known_of_pair{};
      default:
        return {};
    }
  }
};

}  // namespace detail

// Finds an instruction that depends on inner steps later than the step that it belongs to, if the inner axis is that of
// time; -1: none. A score of -1e20 or less hides its inner step, as long as a step does not hide itself.
constexpr int reads_later(const program_view& p) {
  const detail::pairs_of_steps later(p, true), now(p, false);
  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    if (i.code == opcode::input && i.first >= p.inputs.size - p.own.size)
      if (p.own[i.first - (p.inputs.size - p.own.size)].kind == own_input::inner_length) return k;
    if (!is_over_axis(i.code) || axis_of(i) != dimension::inner) continue;
    const bool is_of_scores = i.code == opcode::axis_softmax || i.code == opcode::axis_max;
    const bool is_causal = is_of_scores ? later.of[i.a].hides() && !now.of[i.a].hides() : later.of[i.a].is(0);
    if (!is_causal || traits_of(i.code).passes_on) return k;
  }
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  for (int o : p.outputs)
    if (has_axis(domains[o], dimension::inner)) return o;
  return -1;
}

}  // namespace tenon::inline v0_1::ir
