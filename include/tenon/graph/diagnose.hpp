// Turns a problem found by a constexpr check into one compile error whose text is the explanation.
// g++ prints a string template argument whole; clang 19 cuts it after 36 characters, so it is handed over in short pieces.
#pragma once

#include "tenon/shape/problem.hpp"

namespace tenon {

template <text... Explanation>
struct network_error;  // never defined: its name in the error is the message

namespace detail {

struct cut_explanation {
  static constexpr int longest = 34;
  explanation whole{};
  int first[32]{}, size[32]{};
  int count = 0;

  constexpr explicit cut_explanation(const problem& p) : whole(explain(p)) {
    for (int at = 0; at < whole.size;) {
      int end = at + longest < whole.size ? at + longest : whole.size;
      if (end < whole.size)
        for (int e = end; e > at; --e)
          if (whole.chars[e] == ' ') {
            end = e;
            break;
          }
      first[count] = at, size[count] = end - at, ++count;
      at = end < whole.size && whole.chars[end] == ' ' ? end + 1 : end;
    }
  }
};

// First and Size are constants, so that the text has exactly its length: clang prints no other as a string.
template <class Source, int First, int Size>
constexpr auto piece() {
  text<static_cast<std::size_t>(Size) + 1> t;
  for (int k = 0; k < Size; ++k) t.chars[k] = Source::value.whole.chars[First + k];
  return t;
}

template <class Source, class Count>
struct explained;
template <class Source, int... I>
struct explained<Source, std::integer_sequence<int, I...>> {
#if defined(__clang__)
  static_assert(sizeof(network_error<piece<Source, Source::value.first[I], Source::value.size[I]>()...>) > 0);
#else
  static_assert(sizeof(network_error<piece<Source, 0, Source::value.whole.size>()>) > 0);
#endif
};

template <class Source>
constexpr bool is_right() {
  if constexpr (Source::value.count > 0) static_assert(sizeof(explained<Source, std::make_integer_sequence<int, Source::value.count>>) > 0);
  return true;  // the error stands; a second one would say nothing new
}

}  // namespace detail

}  // namespace tenon
