// Turns a problem found by a constexpr check into one compile error whose text is the explanation.
// g++ prints a string template argument whole; clang 19 cuts it after 36 characters, so clang gets it in short
// pieces.
#pragma once

#include "tenon/diagnostics/exceptions.hpp"
#include "tenon/diagnostics/problem.hpp"

#include <cstddef>
#include <utility>

namespace tenon::inline v0_1 {

// The type's name in the error is the message; with a static_assert whose message is computed, that prints the message.
#if __cpp_static_assert >= 202306L
template <class Source>
struct network_error {
  static constexpr bool mended = false;
  static constexpr ir::characters message = Source::value.whole.view();
};
#elif defined(__clang__)
template <ir::text... Explanation>
struct network_error {
  static constexpr bool mended = false;
};
#else
template <ir::text... Explanation>
struct network_error;  // never defined
#endif

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
      first[count] = at;
      size[count++] = end - at;
      at = end < whole.size && whole.chars[end] == ' ' ? end + 1 : end;
    }
  }
};

// First and Size are constants, so that the text has exactly its length: clang prints only such a text as a string, and
// only if its last zero was written.
template <class Source, int First, int Size>
constexpr auto piece() {
  text<static_cast<std::size_t>(Size) + 1> t;
  for (int k = 0; k <= Size; ++k) t.chars[k] = k < Size ? Source::value.whole.chars[First + k] : '\0';
  return t;
}

template <template <text...> class Error, class Source, class Pieces>
struct spelled;
template <template <text...> class Error, class Source, int... I>
struct spelled<Error, Source, std::integer_sequence<int, I...>> {
#if defined(__clang__)
  using type = Error<piece<Source, Source::value.first[I], Source::value.size[I]>()...>;
#else
  using type = Error<piece<Source, 0, Source::value.whole.size>()>;
#endif
};
template <template <text...> class Error, class Source>
using spelled_of =
    typename spelled<Error, Source, std::make_integer_sequence<int, Source::value.count>>::type;

// The type whose name is the explanation.
#if __cpp_static_assert >= 202306L
template <class Source>
using error_of = network_error<Source>;
#else
template <class Source>
using error_of = spelled_of<network_error, Source>;
#endif

// The error itself. Call it as near to the user's code as possible: each template in between adds a note to the
// compiler's output.
template <class Error>
constexpr bool say() {
#if __cpp_static_assert >= 202306L
  constexpr bool nothing_wrong_here = Error::mended;  // not the type, whose name is the whole graph's
#  if defined(__clang__)  // 22 can do it in C++20, and says that it is an extension
#    pragma clang diagnostic push
#    pragma clang diagnostic ignored "-Wc++26-extensions"
#  endif
  static_assert(nothing_wrong_here, Error::message);
#  if defined(__clang__)
#    pragma clang diagnostic pop
#  endif
#elif defined( \
    __clang__)  // shorter than the use of an undefined type, and no second error where say() is called
  static_assert(Error::mended);
#else
  static_assert(sizeof(Error) > 0);
#endif
  return true;
}

// Reports Source::wrong, if there is anything wrong: say<error_in<Source>>().
struct nothing_wrong {
  static constexpr bool mended = true;
  static constexpr characters message{};
};
template <class Source>
struct cut_of {
  static constexpr cut_explanation value{Source::wrong};
};
template <class Source, bool Wrong = static_cast<bool>(Source::wrong)>
struct found_in {
  using type = nothing_wrong;
};
template <class Source>
struct found_in<Source, true> {
  using type = error_of<cut_of<Source>>;
};
template <class Source>
using error_in = typename found_in<Source>::type;

// A refused call has a result of a type that is never defined. The call is an error with the sentence, and false in a
// `requires`. Such a function is only declared:
//   template <class... Given> requires Refused<unfit_call<Given...>> refused<why<unfit_call<Given...>>> step(const Given&...);
template <class Sentence>
struct refused;
template <text... Explanation>
struct sentence_of;
template <class Source, bool Wrong = static_cast<bool>(Source::wrong)>
struct why_in {
  using type = void;
};
template <class Source>
struct why_in<Source, true> {
  using type = spelled_of<sentence_of, cut_of<Source>>;
};
template <class Source>
using why = typename why_in<Source>::type;
template <class Source>
concept Refused = static_cast<bool>(Source::wrong);

}  // namespace detail

}  // namespace tenon::inline v0_1
