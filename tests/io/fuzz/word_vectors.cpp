// A search for bytes that break a reader of word vectors, by clang's libFuzzer, in all three formats or, with
// -DTENON_FUZZ_TARGET=glove, word2vec_text or word2vec_binary, in one:
//   clang++-19 -std=c++20 -O2 -g -fsanitize=fuzzer,address,undefined -Iinclude -Itests tests/io/fuzz/word_vectors.cpp -o fuzz
//   ./fuzz -runs=10000000 -max_len=300 found tests/io/fuzz/corpus/word_vectors
#include "io/fuzz/word_vectors.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = std::as_bytes(std::span(data, size));
#ifdef TENON_FUZZ_TARGET
  tenon::fuzz::TENON_FUZZ_TARGET(file);
#else
  for (const auto target : {tenon::fuzz::word2vec_text, tenon::fuzz::word2vec_binary, tenon::fuzz::glove})
    target(file);
#endif
  return 0;
}
