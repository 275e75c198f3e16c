// For WebAssembly without exceptions (-fignore-exceptions): one that is thrown ends the program, and says so.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {

void* __cxa_allocate_exception(std::size_t size) { return std::malloc(size); }
[[noreturn]] void __cxa_throw(void*, void*, void (*)(void*)) {
  std::fputs("an exception was thrown in a program that was compiled without exceptions\n", stderr);
  std::abort();
}
}
