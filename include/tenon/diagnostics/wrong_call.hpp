// An overload for calls that no other overload accepts, above all {.epoch = 3}, a name that no struct of options has.
// It makes one error with the sentence, and false in a `requires`. It has the parameter `...`, because braces convert
// to no parameter of a template, and takes the arguments before them as const volatile, so that any other overload is
// preferred. The sentence is a literal, given twice:
//   template <TENON_SAYS_AND(S) class Data> void f(const volatile Data&, ...) TENON_REFUSED(S);
//   TENON_SAYS(S) trainer(const volatile theta&, ...) TENON_DELETED(S);
// If the other functions are no templates, use a template whose only parameter is `...`, so
// that each of them is preferred:
//   template <TENON_SAYS_AND(S) class Result = table> Result read(...) TENON_REFUSED(S);
// g++ prints the arguments of a template in their order, and those of the classes around it last: so the sentence comes
// before the types of the call, which may be long. TENON_AND_SAYS(S) puts it last, for a function whose first arguments a
// call writes itself. clang prints the reason of a deleted function; if that is no constructor, it adds a second error,
// but not after diagnose_if.
//   template <class Given> TENON_CALL(S, float) step(const volatile Given&, ...) TENON_SAID(S);
// is the same for g++ without the list of headers that lead to the deleted function: the result type has the sentence.
// Do not use it for a call with {.epoch = 3}: compilers look at the contents of braces after they find a deleted
// overload, but before they find any other error.
//   template <class Data> requires Refused<unfit<Data>> refused<why<unfit<Data>>> fit(const Data& TENON_SAYS_WHY(unfit<Data>));
// is for arguments of types without linkage, such as a lambda in main, of which g++ would report that the function is
// used and not defined. g++ refuses the default of the last argument, and prints the sentence without the call's types.
//   inference(const inference& TENON_COPY(S)) TENON_DELETED(S);
// is one error for a copy; if bases and members delete the copy, g++ reports an error for each.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include <initializer_list>

namespace tenon::inline v0_1::detail {

// Accepts the braces of a call, as in session({1, 2}), if every other overload is a template;
// not a call without arguments.
struct in_braces {
  in_braces() = default;
  in_braces(std::initializer_list<in_braces>);
  template <class Given>
  in_braces(const Given&);
};
// The extra parameter of a deleted copy: g++ prints its name. A complete type, as nvcc requires of a default argument.
template <ir::text Says>
struct not_copied {};
// The extra parameter of a refused call: g++ prints its name.
template <class Sentence>
struct refusal {
  refusal() = delete;
};

}  // namespace tenon::inline v0_1::detail

#if defined(__clang__)
#  define TENON_SAYS(sentence)
#  define TENON_AND_SAYS(sentence)
#  define TENON_SAYS_AND(sentence)
#  define TENON_REFUSED(sentence)                                                         \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"") \
        __attribute__((diagnose_if(true, sentence, "error"))) _Pragma("clang diagnostic pop")
#  define TENON_DELETED(sentence)                                                                 \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"") = \
        delete (sentence)_Pragma("clang diagnostic pop")
#  define TENON_CALL(sentence, ...) __VA_ARGS__
#  define TENON_SAID(sentence)                                                            \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"") \
        __attribute__((diagnose_if(true, sentence, "error"))) _Pragma("clang diagnostic pop")
#  define TENON_COPY(sentence)
#  define TENON_SAYS_WHY(...)
#else
#  if defined( \
      __CUDACC__)  // nvcc 13 cuts a text that is an argument, but not one that is an argument of an argument
#    define TENON_SAYS(sentence) template <class Says = ::tenon::detail::sentence_of<sentence>>
#    define TENON_AND_SAYS(sentence) , class Says = ::tenon::detail::sentence_of<sentence>
#    define TENON_SAYS_AND(sentence) class Says = ::tenon::detail::sentence_of<sentence>,
#    define TENON_SAYS_WHY(...)
#  else
#    define TENON_SAYS(sentence) template <::tenon::ir::text Says = sentence>
#    define TENON_AND_SAYS(sentence) , ::tenon::ir::text Says = sentence
#    define TENON_SAYS_AND(sentence) ::tenon::ir::text Says = sentence,
#    define TENON_SAYS_WHY(...) , ::tenon::detail::refusal<::tenon::detail::why<__VA_ARGS__>> = {}
#  endif
#  define TENON_REFUSED(sentence) = delete
#  define TENON_DELETED(sentence) = delete
#  define TENON_CALL(sentence, ...) ::tenon::detail::refused<::tenon::detail::sentence_of<sentence>>
#  define TENON_SAID(sentence)
#  define TENON_COPY(sentence) , ::tenon::detail::not_copied<sentence> = {}
#endif
