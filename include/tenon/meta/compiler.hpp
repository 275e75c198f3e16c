// The compilers that Tenon needs. Older ones end with an internal error, or refuse correct programs. Including a header
// that does not exist ends the compilation, which #error does not: no further errors follow.
#pragma once

#if __cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#  error "Tenon needs C++20: compile with -std=c++20."
#  include <a_newer_compiler_for_tenon>
#elif defined(__clang__) && !defined(__apple_build_version__) && __clang_major__ < 17
#  error "Tenon needs clang 17 or newer: 16 takes right trainers for wrong ones. Tested: 19, 22."
#  include <a_newer_compiler_for_tenon>
#elif defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#  error "Tenon needs g++ 12 or newer: 11 ends with an internal error. Tested: 12."
#  include <a_newer_compiler_for_tenon>
#endif
