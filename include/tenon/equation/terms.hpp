// Terms of equations without a tape: symbols, and formulas of symbols and numbers only. They are written to the tape of
// the first value that they are combined with.
#pragma once

#include "tenon/equation/tape.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::ir {

namespace detail {
struct term {};  // a base: nvcc 13 finds no partial specialisation for the strings in a symbol's type
}  // namespace detail
template <opcode Code, class... Terms>
struct formula;

namespace detail {
constexpr sentence speak_of(characters letter, characters gate, characters said) {
  return sentence("'").append(written_as({.letter = letter, .gate = gate}).view()).append("'").append(said);
}
constexpr int find_symbol(tape& t, characters letter, characters gate, int rows = 0, int columns = 0) {
  for (characters part : {letter, gate})
    if (part.size() > label::capacity)
      t.fail({.rule = sentence("the name of a symbol has more than ")
                          .append(label::capacity)
                          .append(" letters: '")
                          .append(part)
                          .append("'"),
              .fix = "shorten it"});
  for (characters part : {letter, gate})
    if (is_no_name(part))
      t.fail({.rule = sentence("a symbol of an equation has ").append(part).append(" instead of its name"),
              .fix = "write the name first, then how many rows: W<\"gate\", 3>(x), b<\"gate\">"});
  return t.find_symbol({.letter = letter, .gate = gate, .rows = rows, .columns = columns});
}
}  // namespace detail

template <text Letter, text Gate>
struct vector_symbol : detail::term {
  constexpr int write(tape& t) const {
    const int s = detail::find_symbol(t, Letter.view(), Gate.view());
    return t.emit({.code = opcode::vector, .first = s});
  }
  constexpr value operator()(value x) const {
    x.on->fail({.rule = detail::speak_of(Letter.view(), Gate.view(), " is a vector, and takes no value"),
                .fix = "leave out its argument, or multiply by a matrix: W<\"gate\">(x)"});
    return x;
  }
};

template <class T>
concept Term = std::derived_from<std::remove_cvref_t<T>, detail::term>;
template <class T>
concept Number = !__is_class(T) && std::is_arithmetic_v<std::remove_cvref_t<T>>;
template <class T>
concept Operand = Traced<std::remove_cvref_t<T>> || Term<T> || Number<T>;

namespace detail {
constexpr int write(tape&, value v) { return v.index; }
constexpr int write(tape& t, Number auto n) { return t.constant(static_cast<double>(n)); }
constexpr int write(tape& t, Term auto term) { return term.write(t); }

constexpr tape* tape_of() { return nullptr; }
template <class First, class... Rest>
constexpr tape* tape_of(const First& first, const Rest&... rest) {
  if constexpr (Traced<First>) return first.on;
  else return tape_of(rest...);
}

// Writes the operation to the tape of its first traced operand; without one, returns a formula, which is written later.
template <opcode Code, class... Operands>
constexpr auto apply(Operands... operands) {
  if constexpr ((Traced<Operands> || ...)) {
    tape& t = *tape_of(operands...);
    const int written[]{write(t, operands)...};  // braces: left to right
    return [&]<int... I>(std::integer_sequence<int, I...>) { return value{&t, t.emit(Code, written[I]...)}; }
    (std::make_integer_sequence<int, static_cast<int>(sizeof...(Operands))>{});
  } else {
    return formula<Code, Operands...>(operands...);
  }
}
}  // namespace detail

template <opcode Code, class A>
struct formula<Code, A> : detail::term {
  A a;
  constexpr explicit formula(A first) : a(first) {}
  constexpr int write(tape& t) const { return t.emit(Code, detail::write(t, a)); }
};
template <opcode Code, class A, class B>
struct formula<Code, A, B> : detail::term {
  A a;
  B b;
  constexpr formula(A first, B second) : a(first), b(second) {}
  constexpr int write(tape& t) const {
    const int left = detail::write(t, a);
    return t.emit(Code, left, detail::write(t, b));
  }
};

template <class A, class B>
concept Operands = Operand<A> && Operand<B> && !(Number<A> && Number<B>);
template <class A>
concept Symbolic = Operand<A> && !Number<A>;

}  // namespace tenon::inline v0_1::ir
