// Parameters in two memories: each side shows the last write on either side, and copies have the newest values.
#include "tenon/parameters/block.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace workshop {
struct apart {};  // a backend with its own blocks
inline void* allocate(apart, std::size_t bytes) { return std::malloc(bytes); }
inline void release(apart, void* block) { std::free(block); }
inline void copy_in(apart, const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
inline void copy_out(apart, const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
inline void set_all(apart, std::ptrdiff_t count, float value, float* out) {
  for (std::ptrdiff_t k = 0; k < count; ++k) out[k] = value;
}
struct further : apart {};
}  // namespace workshop

namespace tenon::test {

using workshop::apart, workshop::further;
using block = engine::parameter_block<float>;
const float* there(const block& b) { return b.on<apart>(); }
float first_there(const block& b) {
  float x = 0;
  copy_out(apart{}, there(b), &x, sizeof x);
  return x;
}
void write_there(block& b, float x) { copy_in(apart{}, &x, b.write_on<apart>(), sizeof x); }
float first_here(const block& b) { return b.data()[0]; }

TEST_CASE("what is written on one side is read on the other") {
  block b(3, {});
  b.data()[0] = 1;
  b.data()[2] = 7;
  CHECK(first_there(b) == 1);
  b.data()[0] = 2;
  CHECK(first_there(b) == 2);
  write_there(b, 3);
  CHECK(first_here(b) == 3);
  CHECK(b.data()[2] == 7);  // the old contents are kept
  b.data()[0] = 4;
  write_there(b, 5);
  write_there(b, 6);
  CHECK(first_there(b) == 6);
  CHECK(first_here(b) == 6);
  set_all(apart{}, 3, 0.0f, b.overwrite_on<apart>());
  CHECK(b.data()[2] == 0);
}
TEST_CASE("copies and moves take the newest numbers along") {
  block b(2, {});
  write_there(b, 9);
  block copy = b;
  CHECK(first_here(copy) == 9);
  write_there(b, 10);
  copy = b;
  CHECK(first_here(copy) == 10);
  CHECK(first_there(copy) == 10);
  write_there(b, 11);
  const block moved = std::move(b);
  CHECK(first_here(moved) == 11);
}
TEST_CASE("another backend gets what the first one wrote") {
  block b(1, {});
  write_there(b, 12);
  float x = 0;
  copy_out(further{}, b.on<further>(), &x, sizeof x);
  CHECK(x == 12);
}

TEST_CASE("a block that is assigned to keeps its memory on both sides, where views of it look") {
  block b(2, {}), other(2, {});
  const float *const here = b.data(), *const there_before = there(b);
  other.data()[0] = 13;
  b = other;
  CHECK(here == b.data());
  CHECK(here[0] == 13);
  CHECK(first_there(b) == 13);
  write_there(b, 14);  // the newer values there are no longer needed
  b = other;
  CHECK(first_here(b) == 13);
  CHECK(first_there(b) == 13);
  CHECK(there(b) == there_before);
  write_there(other, 15);
  b = other;
  CHECK(here[0] == 15);
  b = std::as_const(b);
  CHECK(first_here(b) == 15);
  const block larger(3, {});
  b = larger;
  CHECK(b.size() == 3);
  b = other;
  CHECK(b.size() == 2);
  CHECK(first_here(b) == 15);
}

}  // namespace tenon::test
