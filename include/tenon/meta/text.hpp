// text<N>: a string that can be a template argument.  name: a string that can be a member of a constexpr
// value.
#pragma once
#include "tenon/meta/characters.hpp"

#include <cstddef>

namespace tenon::inline v0_1::ir {

namespace detail {
// A number, whole or not, without <type_traits>. Negation also accepts enumerators, but not those of an enum class.
template <class T>
concept NoText = requires(T t) {
  static_cast<double>(-t);
};
// What a number becomes as a name, as in W<3>(x), what a character becomes, W<'h'>, and what a string does whose contents are known
// only at run time, set_input<name>. They are refused with a message; without this the compiler's own error is a page long.
inline constexpr char a_number[] = "a number", a_character[] = "a character", a_variable[] = "a variable";
template <class T>
inline constexpr const auto& no_name = a_variable;
template <NoText T>
inline constexpr const auto& no_name<T> = a_number;
template <>
inline constexpr const auto& no_name<char> = a_character;
constexpr bool is_no_name(characters name) {
  return name == characters(a_number) || name == characters(a_character) || name == characters(a_variable);
}
}  // namespace detail

// A fixed string of N - 1 characters and a terminating zero: `node<"embedded", ...>`.
template <std::size_t N>
struct text {
  char chars[N]{};

  constexpr text() = default;
  constexpr text(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = s[i];
  }
  template <class Other>
  requires(N == sizeof detail::no_name<Other>) constexpr text(const Other&) : text(detail::no_name<Other>) {}
  constexpr characters view() const { return {chars, N - 1}; }
  constexpr bool operator==(const text&) const = default;
};
template <class Other>
text(const Other&) -> text<sizeof detail::no_name<Other>>;

// A size as a template argument. A number that is no int is kept as a negative number, which is refused with a message.
struct size_argument {
  static constexpr int largest = 2147483647, is_text = -largest, is_no_int = 1 - largest;
  int size;

  template <detail::NoText Number>
  constexpr size_argument(Number n) : size(int_of(static_cast<double>(n))) {}
  template <std::size_t N>
  constexpr size_argument(const char (&)[N]) : size(is_text) {}

 private:
  static constexpr int int_of(double n) {
    return n > is_no_int && n <= largest && static_cast<double>(static_cast<int>(n)) == n
               ? static_cast<int>(n)
               : is_no_int;
  }
};
// The size in a template parameter `auto`: linear<3000000000> is a type, and its network reports what is wrong with it.
template <auto Size>
inline constexpr int size_from = size_argument(Size).size;

// A share from 0 to 1 in a template parameter `auto`: dropout<0.5>. The whole number 0 is kept as a negative number,
// which is refused with a message, because 1/2 is 0. For a share of 0 write 0.0.
template <auto Share>
inline constexpr double share_from = [] {
  if constexpr (requires { Share % 1; }) return Share == 0 ? -1. : static_cast<double>(Share);
  else return static_cast<double>(Share);
}();

// The characters of Text, valid as long as the program runs: a template argument has memory of its own.
template <text Text>
inline constexpr characters literal = Text.view();

// A string of at most N characters with value semantics: node paths, parameter names, axis labels. A longer
// one is cut and ends in "..", for messages; its hash is that of all characters, so it equals no other.
template <int N>
struct basic_name {
  static constexpr int capacity = N;
  char chars[N + 1]{};
  int size = 0;
  unsigned hash = 2166136261u;  // FNV-1a: a graph compares each of its names with all others

  constexpr basic_name() = default;
  constexpr basic_name(const detail::String auto& s) { append(s); }
  constexpr basic_name(const char* s) { append(s); }
  template <std::size_t M>
  constexpr basic_name(const text<M>& s) {
    append(s.view());
  }

  constexpr basic_name& append(characters s) {
    for (char c : s) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
      if (size < N) chars[size++] = c;
      else chars[N - 2] = chars[N - 1] = '.';
    }
    return *this;
  }
  // Appends another name. What was cut off it still counts in the hash, which tells this name from others.
  template <int M>
  constexpr basic_name& append(const basic_name<M>& other) {
    append(other.view());
    if (other.is_full()) hash = (hash ^ other.hash) * 16777619u;
    return *this;
  }
  constexpr basic_name& append(int number) {
    char digits[12]{};
    int count = 0;
    const bool negative = number < 0;
    do {
      digits[count++] = static_cast<char>('0' + (negative ? -(number % 10) : number % 10));
      number /= 10;
    } while (number != 0);
    if (negative) append("-");
    while (count > 0) append(characters(&digits[--count], 1));
    return *this;
  }

  constexpr characters view() const { return {chars, static_cast<std::size_t>(size)}; }
  constexpr bool empty() const { return size == 0; }
  constexpr bool is_full() const { return size == N; }  // so that some of it may have been cut off
  constexpr bool operator==(const basic_name& other) const {
    if (size != other.size || hash != other.hash) return false;
    for (int k = 0; k < size; ++k)
      if (chars[k] != other.chars[k]) return false;
    return true;
  }
};

// A name in its exact length, as a template argument: literal<exact_text<n.size>(n)>.
template <int Size, int N>
constexpr text<static_cast<std::size_t>(Size) + 1> exact_text(const basic_name<N>& n) {
  text<static_cast<std::size_t>(Size) + 1> exact;
  for (int k = 0; k < Size; ++k) exact.chars[k] = n.chars[k];
  return exact;
}

using label = basic_name<23>;      // an axis, a parameter's letter or gate
using name = basic_name<63>;       // a path: decoder.attention.query
using sentence = basic_name<223>;  // a part of a diagnostic

namespace detail {
// `outer.inner`, or `inner` if there is no outer part.
constexpr name join(const name& outer, characters inner) {
  name path = outer;
  if (!path.empty() && !inner.empty()) path.append(".");
  return path.append(inner);
}
}  // namespace detail

}  // namespace tenon::inline v0_1::ir
