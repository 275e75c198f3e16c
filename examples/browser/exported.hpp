// What a program for a browser needs beside its functions. A function that the page calls is EXPORTED(name).
//
// Debian's libc++abi for WebAssembly has no exceptions, so that one that is thrown ends the program. Before, its sentence is written on the
// standard error stream, where the page reads it. Include this header in one file of a program.
#pragma once

#include <tenon/io/file.hpp>
#include <tenon/tenon.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <typeinfo>

#define EXPORTED(name) extern "C" [[clang::export_name(#name)]]

namespace browser {

// The sentence of an exception that the library throws. Each of these types is a std::exception and nothing else.
inline const char* sentence_of(const void* thrown, const std::type_info& type) {
  const bool is_known = type == typeid(tenon::input_error) || type == typeid(tenon::data_error) ||
                        type == typeid(tenon::training_error);
  return is_known ? static_cast<const std::exception*>(thrown)->what() : "an exception was thrown";
}

}  // namespace browser

extern "C" {

void* __cxa_allocate_exception(std::size_t size) { return std::malloc(size); }
[[noreturn]] void __cxa_throw(void* thrown, std::type_info* type, void (*)(void*)) {
  std::fputs(browser::sentence_of(thrown, *type), stderr);
  std::abort();
}
}
