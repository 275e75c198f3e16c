// TENON_WITHOUT(type, method, sentence): a base class with a deleted function, for a method that users of another class
// expect. A call of it is an error with the sentence, and false in a `requires`. g++ prints the argument of a template,
// clang the reason of a deleted function.
#pragma once

#include "tenon/meta/text.hpp"

#if defined(__clang__)
#  define TENON_WITHOUT(type, method, sentence)                  \
    struct type {                                                \
      _Pragma("clang diagnostic push")                           \
      _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"") \
      void method(...) = delete(sentence);                       \
      _Pragma("clang diagnostic pop")                            \
    }
#else
namespace tenon::inline v0_1::engine {
template <ir::text Says>
struct without_run {
  void run(...) = delete;
};
template <ir::text Says>
struct without_step {
  void step(...) = delete;
};
template <ir::text Says>
struct without_forward {
  void forward(...) = delete;
};
template <ir::text Says>
struct without_backward {
  void backward(...) = delete;
};
}  // namespace tenon::inline v0_1::engine
#  define TENON_WITHOUT(type, method, sentence) using type = without_##method<sentence>
#endif
