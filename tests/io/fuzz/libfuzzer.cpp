// Searches for bytes that break a parser, with clang's libFuzzer: see tests/io/fuzz/run.
#include TENON_FUZZ_HEADER

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A separate copy: reading past its end is found, and its address is not aligned by chance.
  const std::unique_ptr<std::byte[]> copy(new std::byte[size]);
  std::memcpy(copy.get(), data, size);
  tenon::fuzz::TENON_FUZZ_TARGET({copy.get(), size});
  return 0;
}
