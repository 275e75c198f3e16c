// Counts calls of operator new, or lets it fail. A test that includes this replaces the operator for its whole program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace tenon::test {

inline std::atomic<bool> counting{false};
inline std::atomic<int> allocations{0};

// How often f allocates.
template <class F>
int allocations_of(F f) {
  allocations = 0;
  counting = true;
  f();
  counting = false;
  return allocations;
}

// Runs f as on a machine that has no block of `bytes` or more.
inline std::atomic<std::size_t> too_much{static_cast<std::size_t>(-1)};
template <class F>
void without_blocks_of(std::size_t bytes, F f) {
  struct back {
    ~back() { too_much = static_cast<std::size_t>(-1); }
  } at_the_end;
  too_much = bytes;
  f();
}

inline void* counted(std::size_t size, std::size_t alignment) {
  if (counting) ++allocations;
  if (size >= too_much) throw std::bad_alloc();
  if (void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)) return p;
  throw std::bad_alloc();
}

}  // namespace tenon::test

// Not inlined: otherwise g++ 12 warns that free does not match these operators.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return tenon::test::counted(size == 0 ? 1 : size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t a) {
  return tenon::test::counted(size, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
