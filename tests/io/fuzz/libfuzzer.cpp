// A search for bytes that break a parser, by clang's libFuzzer: see tests/io/fuzz/run.
#include "io/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Bytes of their own: reading past their end is seen, and they are at no even address by chance.
  const std::unique_ptr<std::byte[]> copy(new std::byte[size]);
  std::memcpy(copy.get(), data, size);
  tenon::fuzz::TENON_FUZZ_TARGET({copy.get(), size});
  return 0;
}
