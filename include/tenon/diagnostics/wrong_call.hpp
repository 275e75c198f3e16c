// An overload for calls that no other overload takes, above all {.epoch = 3}, a name that no struct of options has: one error, which
// says the sentence, and false in a `requires`. It takes `...`, since braces convert to no parameter of a template, and what stands
// before them as const volatile, so that any other overload comes first. The sentence is a literal, given twice:
//   template <class Data TENON_AND_SAYS(S)> void f(const volatile Data&, ...) TENON_REFUSED(S);
//   TENON_SAYS(S) trainer(const volatile theta&, ...) TENON_DELETED(S);
// Beside functions that are no templates, a template that takes `...` alone, so that each of them comes first:
//   template <class Result = table TENON_AND_SAYS(S)> Result read(...) TENON_REFUSED(S);
// g++ prints the argument of a template. clang prints the reason of a deleted function; where that is no constructor it goes on to a
// second error, but not behind diagnose_if.
//   template <class Given> TENON_CALL(S, float) step(const volatile Given&, ...) TENON_SAID(S);
// is the same for g++ without the list of headers that lead to the deleted function: the result says the sentence. Not of a call with
// {.epoch = 3}: that an overload is deleted is found before what stands in braces, any other error behind it.
//   template <class Data> requires Refused<unfit<Data>> refused<why<unfit<Data>>> fit(const Data&) TENON_NOT_MADE;
// is for arguments of types without linkage, as a lambda of main has: of a function that is used and not defined g++ says a second error.
//   inference(const inference& TENON_COPY(S)) TENON_DELETED(S);
// is a copy in one error; of copies that bases and members delete, g++ says one error each.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include <initializer_list>

namespace tenon::detail {

// What takes the braces of a call, as in session({1, 2}), where every other overload is a template. A call without arguments is none.
struct in_braces {
  in_braces() = default;
  in_braces(std::initializer_list<in_braces>);
  template <class Given>
  in_braces(const Given&);
};
// What a deleted copy takes beside the original: g++ prints its name. Whole, as nvcc asks of an argument by default.
template <ir::text Says>
struct not_copied {};

}  // namespace tenon::detail

#if defined(__clang__)
#  define TENON_SAYS(sentence)
#  define TENON_AND_SAYS(sentence)
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
#  define TENON_NOT_MADE
#else
#  if defined( \
      __CUDACC__)  // nvcc 13 cuts a text that is an argument, and none that is an argument of an argument
#    define TENON_SAYS(sentence) template <class Says = ::tenon::detail::sentence_of<sentence>>
#    define TENON_AND_SAYS(sentence) , class Says = ::tenon::detail::sentence_of<sentence>
#  else
#    define TENON_SAYS(sentence) template <::tenon::ir::text Says = sentence>
#    define TENON_AND_SAYS(sentence) , ::tenon::ir::text Says = sentence
#  endif
#  define TENON_REFUSED(sentence) = delete
#  define TENON_DELETED(sentence) = delete
#  define TENON_CALL(sentence, ...) ::tenon::detail::refused<::tenon::detail::sentence_of<sentence>>
#  define TENON_SAID(sentence)
#  define TENON_NOT_MADE = delete
#  define TENON_COPY(sentence) , ::tenon::detail::not_copied<sentence> = {}
#endif
