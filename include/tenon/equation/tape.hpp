// tape: writes a program while equations are evaluated at compile time. Each instruction is folded if possible,
// and an equal earlier instruction is used again, so that a shared subexpression is computed once.
#pragma once

#include "tenon/equation/program_writer.hpp"

#include <concepts>

namespace tenon::inline v0_1::ir {

struct tape : program_writer {
  bool finds_pairs =
      false;  // write dot products and weighted sums of each step with each inner step as one operation?
  // Operands of matrix products lose a share of their features, the same ones at each step: see variational_dropout.
  struct product_dropout {
    double of_input = 0, of_state = 0;  // shares
    int states = 0;                     // inputs 1 .. states are states
    list<int, max_sources> masks[2]{};  // of inputs, of states; of several sizes
  } drops{};

  // Returns the value that the instruction folds to, an equal one that exists already, or a new line.
  constexpr int emit(instruction i) {
    if (is_full_) return 0;
    if (i.size == 0) i.size = size_of(i);
    if (written.varies.size > 0 && is_elementwise(i.code)) drop_spreads(i);
    if ((i.code == opcode::add || i.code == opcode::multiply) && i.a > i.b) {
      const short a = i.a;
      i.a = i.b;
      i.b = a;
    }
    if (const int folded = fold(i); folded >= 0) return folded;
    if (const int k = find_equal(i); k >= 0) {
      agree(written.code[k].size, i);
      return k;
    }
    return add(i);
  }
  constexpr int emit(opcode code, int a, int b = -1, int c = -1) { return emit(line(code, a, b, c)); }
  constexpr int constant(double number) {
    instruction i{.code = opcode::constant, .size = 1};
    i.number = number;
    return emit(i);
  }
  constexpr int input(int index, int size) {
    if (!has_room(index, max_program_inputs, "inputs")) return 0;
    while (written.inputs.size <= index) written.inputs.add(0);
    written.inputs[index] = size;
    return emit({.code = opcode::input, .first = index, .size = size});
  }
  // The value of an input that the equation adds itself.
  constexpr int own(own_input kind, int size = 1) {
    if (kind == own_input::count && size == 1) return constant(0);
    const int first = written.inputs.size - written.own.size;
    int n = 0;
    while (n < written.own.size && (written.inputs[first + n] != size || written.own[n].kind != kind)) ++n;
    return n < written.own.size ? input(first + n, size) : add_own({kind}, size);
  }
  // New random numbers for each feature, not shared with any other value: see own_input::noise.
  constexpr int noise(double share, int size, bool of_sequence) {
    return add_own({of_sequence ? own_input::noise_of_sequence : own_input::noise, share}, size);
  }
  constexpr int slice(int a, int first, int size) {
    return emit({.code = opcode::slice, .a = short(a), .first = first, .size = size});
  }
  constexpr int widen(int a, int size) { return emit({.code = opcode::copy, .a = short(a), .size = size}); }
  constexpr int zeros(int size) { return widen(constant(0), size); }
  constexpr int over_axis(opcode code, int a, dimension axis) {
    instruction i = line(code, a);
    i.first = static_cast<int>(axis);
    return emit(i);
  }
  constexpr int shift(int a, double positions, dimension axis) {
    instruction i = line(opcode::shift, a);
    i.first = static_cast<int>(axis);
    i.number = positions;
    return emit(i);
  }
  constexpr int as_features(int a, dimension axis) {
    instruction i = line(opcode::as_features, a);
    i.first = static_cast<int>(axis);
    i.size = bound[i.first] * size(a);
    return emit(i);
  }
  constexpr int from_features(int a, dimension axis, int size) {
    instruction i = line(opcode::from_features, a);
    i.first = static_cast<int>(axis);
    i.size = size;
    return emit(i);
  }
  // Can pair_dot(a, b) write the dot product, per group of features, of each step with each inner step? One operand
  // varies along time, the other along the inner axis, in any order.
  constexpr bool are_pairs(int a, int b) {
    const bool turned = has_axis(a, dimension::inner);
    return finds_pairs && has_axis(turned ? b : a) && domain_at(turned ? b : a) == domain::rows &&
           domain_at(turned ? a : b) == domain::inner && size(a) > 0 && size(a) == size(b);
  }
  constexpr int pair_dot(int a, int b, int groups) {
    if (domain_at(a) == domain::inner) return pair_dot(b, a, groups);
    instruction i = line(opcode::pair_dot, a, b);
    i.count = static_cast<short>(groups);
    return emit(i);
  }
  // Can pair_sum write the weighted sum over the axis? The values vary along this axis only; the weights, one for each
  // group of features, vary along both.
  constexpr bool are_weighted_pairs(int weights, int values, dimension axis) {
    return finds_pairs && written.varies.size > 0 && domain_at(weights) == domain::both &&
           domain_at(values) == domain_along(axis) && size(weights) > 0 && size(values) > 0;
  }
  constexpr int pair_sum(int weights, int values, dimension axis) {
    instruction i = line(opcode::pair_sum, weights, values);
    i.first = static_cast<int>(axis);
    i.count = static_cast<short>(size(weights));
    return emit(i);
  }
  // Repeats a at every position of the axis.
  constexpr int spread(int a, dimension axis) {
    if (has_axis(a, axis)) return a;
    return emit({.code = opcode::copy, .a = short(a), .first = 1 + static_cast<int>(axis), .size = size(a)});
  }

 private:
  constexpr int add_own(const own_number& number, int size) {
    const int index = written.inputs.size;
    if (!has_room(written.own.size, written.own.capacity, "numbers of its own")) return 0;
    if (number.kind == own_input::noise_of_sequence && written.varies.empty()) {
      for (int i = 0; i < index - written.own.size; ++i) written.varies.add(domain::rows);
      for (const own_number& earlier : written.own) written.varies.add(domain_of_own(earlier.kind));
    }
    written.own.add(number);
    if (!written.varies.empty()) written.varies.add(domain_of_own(number.kind));
    return input(index, size);
  }
  // A simpler value that equals instruction i, in its full width; -1: there is none, or its size is still
  // open.
  constexpr int fold(const instruction& i) {
    const int folded = simpler(i);
    if (folded < 0 || size(folded) == i.size) return folded;
    return size(folded) == 1 && i.size > 1 ? widen(folded, i.size) : -1;
  }
  constexpr int simpler(const instruction& i) {
    const int a = i.a, b = i.b;
    switch (i.code) {
      case opcode::copy:
        return !is_spread(i) && size(a) > 0 && size(a) == i.size ? a : -1;
      case opcode::negate:
        if (is_number(a)) return constant(-number(a));
        return written.code[a].code == opcode::negate ? int(written.code[a].a) : -1;
      case opcode::add:
        if (is_number(a) && is_number(b)) return constant(number(a) + number(b));
        return is_number(a, 0) ? b : is_number(b, 0) ? a : -1;
      case opcode::subtract:
        if (is_number(a) && is_number(b)) return constant(number(a) - number(b));
        if (is_number(a, 0)) return emit(opcode::negate, b);
        return is_number(b, 0) ? a : difference_of_products(a, b);
      case opcode::multiply:
        if (is_number(a) && is_number(b)) return constant(number(a) * number(b));
        if (is_number(a, 0) || is_number(b, 0)) return constant(0);
        return is_number(a, 1) ? b : is_number(b, 1) ? a : -1;
      case opcode::divide:
        if (is_number(a) && is_number(b)) return constant(number(a) / number(b));
        if (is_number(a, 0)) return constant(0);
        return is_number(b, 1) ? a : -1;
      case opcode::greater:
        return is_number(a) && is_number(b) ? constant(number(a) > number(b) ? 1 : 0) : -1;
      case opcode::select:
        return !is_number(a) ? -1 : number(a) > 0 ? b : int(i.c);
      case opcode::row_sum:
        if (is_number(a) && size(a) > 0) return constant(number(a) * size(a));
        return size(a) == 1 ? a : -1;
      case opcode::row_max:
        return is_number(a) ? constant(number(a)) : size(a) == 1 ? a : -1;
      case opcode::axis_sum:
        if (finds_pairs)
          if (const int pairs = sum_of_pairs(a, axis_of(i)); pairs >= 0) return pairs;
        return sum_of_products(a, axis_of(i));
      case opcode::shift:
        return i.number == 0 ? a : -1;
      case opcode::turn:
        return written.code[a].code == opcode::turn ? int(written.code[a].a) : -1;
      case opcode::slice:
        return fold_slice(i);
      case opcode::concat:
        return fold_concat(i);
      default:
        return -1;
    }
  }
  // If one operand varies along an axis, the others need not be spread along it.
  constexpr void drop_spreads(instruction& i) {
    short* const operands[]{&i.a, &i.b, &i.c};
    for (short* spread : operands)
      while (*spread >= 0 && is_spread(written.code[*spread])) {
        bool varies = false;
        for_operands(i, [&](int o) {
          varies = varies || (has_axis(o, axis_of(written.code[*spread])) && !is_spread(written.code[o]));
        });
        if (!varies) break;
        *spread = written.code[*spread].a;
      }
  }

  // --- dot products over an axis: s . u - s . v = s . (u - v), and sum_t w_t (s . u_t) = s . sum_t w_t u_t, if s is
  // the same at every position and the sum on the right exists already ---
  struct dot_product {
    int fixed = -1, other = -1;  // s, spread or not, and u
  };
  constexpr int without_spread(int k) const {
    return is_spread(written.code[k]) ? int(written.code[k].a) : k;
  }
  // Value k as the dot product of `fixed` and another value; fixed = -1: of any value that is equal at all positions.
  constexpr dot_product dot_at(int k, int fixed = -1) {
    if (written.code[k].code != opcode::row_sum || written.varies.empty()) return {};
    const instruction product = written.code[written.code[k].a];
    if (product.code != opcode::multiply || size(product.a) != size(product.b)) return {};
    const dot_product either[]{{product.a, product.b}, {product.b, product.a}};
    for (const auto& [s, u] : either) {
      const int once = without_spread(s);
      const bool varies_less = !has_axis(once) || domain_at(once) != domain_at(k);
      if (varies_less && (fixed < 0 || fixed == once)) return {once, u};
    }
    return {};
  }
  constexpr int difference_of_products(int a, int b) {
    const dot_product x = dot_at(a);
    const dot_product y = x.fixed < 0 ? dot_product{} : dot_at(b, x.fixed);
    if (y.fixed < 0) return -1;
    return emit(opcode::row_sum, emit(opcode::multiply, x.fixed, emit(opcode::subtract, x.other, y.other)));
  }
  constexpr int sum_of_products(int a, dimension axis) {
    const instruction product = written.code[a];
    if (product.code != opcode::multiply) return -1;
    const dot_product either[]{{product.a, product.b}, {product.b, product.a}};
    for (const auto& [weight, dot] : either) {
      const dot_product x = dot_at(dot);
      if (x.fixed < 0 || has_axis(x.fixed, axis) || size(weight) != 1) continue;
      for (int k = 0; k < written.code.size; ++k) {
        if (written.code[k].code != opcode::axis_sum || axis_of(written.code[k]) != axis) continue;
        const instruction weighted = written.code[written.code[k].a];
        if (weighted.code == opcode::multiply && ((weighted.a == weight && weighted.b == x.other) ||
                                                  (weighted.a == x.other && weighted.b == weight)))
          return emit(opcode::row_sum, emit(opcode::multiply, x.fixed, k));
      }
    }
    return -1;
  }
  constexpr int sum_of_pairs(int a, dimension axis) {
    const instruction product = written.code[a];
    if (product.code != opcode::multiply) return -1;
    const dot_product either[]{{product.a, product.b}, {product.b, product.a}};
    for (const auto& [weight, values] : either)
      if (size(weight) == 1 && are_weighted_pairs(weight, values, axis))
        return pair_sum(weight, values, axis);
    return -1;
  }
  constexpr int fold_slice(const instruction& i) {
    if (i.first == 0 && i.size == size(i.a)) return i.a;
    const instruction from = written.code[i.a];
    if (from.code == opcode::slice) return slice(from.a, from.first + i.first, i.size);
    if (from.code == opcode::copy && size(from.a) == 1) return widen(from.a, i.size);
    if (from.code != opcode::concat || size(from.a) == 0) return -1;
    const int left = size(from.a);
    if (i.first + i.size <= left) return slice(from.a, i.first, i.size);
    return i.first >= left ? slice(from.b, i.first - left, i.size) : -1;
  }
  constexpr int fold_concat(const instruction& i) {  // two neighbouring slices of one value are one slice
    const instruction left = written.code[i.a], right = written.code[i.b];
    if (left.code != opcode::slice || right.code != opcode::slice || left.a != right.a) return -1;
    return left.first + left.size == right.first ? slice(left.a, left.first, left.size + right.size) : -1;
  }
};

// A value on a tape; equations compute with these.
struct value {
  tape* on = nullptr;
  int index = -1;

  constexpr int size() const { return on->size(index); }
  // For std::tanh(x) and `if (x > 0)`: they compile, so that the equation can be refused with a message. See
  // RunsAtCompileTime.
  template <std::same_as<double> Number>
  operator Number() const {
    return 0;
  }

  // Errors: W<"gate">(x) in a struct that does not derive from equations::symbols finds these by its argument.
  template <text = "", size_argument = 0>
  friend constexpr value W(value x) {
    return x.times_no_member("W");
  }
  template <text = "", size_argument = 0>
  friend constexpr value U(value x) {
    return x.times_no_member("U");
  }
  template <text = "", size_argument = 0>
  friend constexpr value V(value x) {
    return x.times_no_member("V");
  }

 private:
  constexpr value times_no_member(characters letter) const {
    on->fail({.rule = sentence("'").append(letter).append(
                  "' is a member of equations::symbols, and the struct does not derive from it"),
              .fix = "write struct name : equations::symbols"});
    return *this;
  }
};
// Something is wrong with the equation; `instead` stands for its result.
constexpr value failed(value instead, const problem& p) {
  instead.on->fail(p);
  return instead;
}
// A value, or a type derived from it, such as dropout<0.5>(x).
template <class T>
concept Traced = __is_base_of(value, T);

}  // namespace tenon::inline v0_1::ir
