// TENON_NONBLOCKING marks functions that a thread with a deadline may call: they allocate nothing, take no lock, throw nothing and make
// no system call. clang 20 and newer check all that they call, -Wfunction-effects; under -fsanitize=realtime a call that
// waits ends the program.
#pragma once

#if defined(__has_cpp_attribute)
#  if __has_cpp_attribute(clang::nonblocking)
#    define TENON_NONBLOCKING noexcept [[clang::nonblocking]]
// Statements of such a function that call arithmetic of another library, which the compiler cannot see into.
#    define TENON_OTHERS_ARITHMETIC(...)                                                          \
      _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wfunction-effects\"") \
          __VA_ARGS__ _Pragma("clang diagnostic pop")
#  endif
#endif
#if !defined(TENON_NONBLOCKING)
#  define TENON_NONBLOCKING noexcept
#  define TENON_OTHERS_ARITHMETIC(...) __VA_ARGS__
#endif
