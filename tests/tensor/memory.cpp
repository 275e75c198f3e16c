// memory<T>: alignment, zeros, value semantics.
#include "tenon/tensor/memory.hpp"

#include "support/allocations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace tenon::test {

template <class T>
bool is_aligned(const engine::memory<T>& m) {
  return reinterpret_cast<std::uintptr_t>(m.data()) % engine::memory<T>::alignment == 0;
}

TEST_CASE_TEMPLATE("zeroed and aligned, whatever the length", T, float, double, int) {
  for (std::size_t n : {1u, 3u, 16u, 1000u}) {
    const engine::memory<T> m(n);
    CHECK(m.size() == n);
    CHECK(is_aligned(m));
    CHECK(std::all_of(m.begin(), m.end(), [](T x) { return x == T(0); }));
    CHECK(m.end() - m.begin() == static_cast<std::ptrdiff_t>(n));
  }
}
TEST_CASE("a block that fills a large page begins where one does") {
  constexpr std::size_t page = system_calls::large_page;
  for (std::size_t n : {page / sizeof(double), page / sizeof(double) + 1, 3 * page / sizeof(double) + 5}) {
    const engine::memory<double> m(n), copy = m;
    CHECK(reinterpret_cast<std::uintptr_t>(m.data()) % page == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(copy.data()) % page == 0);
    CHECK(std::all_of(m.begin(), m.end(), [](double x) { return x == 0; }));
  }
}
TEST_CASE("nothing takes no memory") {
  const engine::memory<float> none, zero(0);
  CHECK(none.data() == nullptr);
  CHECK(zero.data() == nullptr);
  CHECK(zero.size() == 0);
  const engine::memory<float> copy = zero;
  CHECK(copy.size() == 0);
}
TEST_CASE("copies are blocks of their own") {
  engine::memory<int> a(5);
  std::fill(a.begin(), a.end(), 7);
  engine::memory<int> b = a;
  CHECK(is_aligned(b));
  CHECK(b.data() != a.data());
  b.data()[0] = 1;
  CHECK(a.data()[0] == 7);
  a = b;
  CHECK(a.data()[0] == 1);
  CHECK(a.data()[4] == 7);
  a = *&a;
  CHECK(a.data()[0] == 1);
  a = engine::memory<int>(2);
  CHECK(a.size() == 2);
  CHECK(b.size() == 5);
}
TEST_CASE("too little memory: the error says how many bytes, and of what") {
  static_assert(std::is_base_of_v<std::bad_alloc, memory_error>);
  const auto needs = [](std::size_t count, const engine::memory_use& use) {
    without_blocks_of(4000, [&] { engine::memory<double>(count, use); });
  };
  needs(499, {});
  CHECK_THROWS_WITH_AS(needs(500, {}), "too little memory: 4000 bytes", memory_error);
  CHECK_THROWS_WITH_AS(needs(123'456'789, {"the states", {}}),
                       "too little memory: 987654312 bytes for the states", memory_error);
  CHECK_THROWS_WITH_AS(needs(500, {"the workspace of training", "reader"}),
                       "too little memory: 4000 bytes for the workspace of training of graph 'reader'",
                       memory_error);
  const engine::memory<double> original(1000, {"the parameters", "reader"});
  CHECK_THROWS_WITH_AS(without_blocks_of(4000, [&] { engine::memory<double> copy = original; }),
                       "too little memory: 8000 bytes for the parameters of graph 'reader'", memory_error);
  // a text that is too long for its place is cut off
  const std::string title(300, 'x');
  CHECK_THROWS_WITH_AS(needs(500, {"the states", title}), doctest::Contains("for the states of graph 'xxxx"),
                       memory_error);
}
TEST_CASE("a move takes the block and leaves nothing") {
  static_assert(std::is_nothrow_move_constructible_v<engine::memory<int>>);
  engine::memory<int> a(5);
  const int* block = a.data();
  engine::memory<int> b = std::move(a);
  CHECK(b.data() == block);
  CHECK(b.size() == 5);
  CHECK(a.data() == nullptr);
  CHECK(a.size() == 0);
  engine::memory<int> c(1);
  c = std::move(b);
  CHECK(c.data() == block);
}

}  // namespace tenon::test
