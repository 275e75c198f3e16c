// For libFuzzer, by hand:
//   clang++-19 -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -Iinclude -Itests tests/io/fuzz/word_vectors.cpp -o fuzz
//   ./fuzz -runs=10000000 corpus tests/golden/word_vectors
#include "io/fuzz/word_vectors.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tenon::fuzz::read_word_vectors({reinterpret_cast<const char*>(data), size});
  return 0;
}
