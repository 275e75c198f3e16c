// Lanes of a vector by number: rotated, and the first of them loaded and stored in pieces.
#include "support/guarded_rows.hpp"
#include "support/int32_register.hpp"
#include <tenon/backend/cpu/lanes.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using namespace tenon::backend::simd;

namespace {

template <class V>
std::vector<number_of<V>> counted(int from, int count) {
  std::vector<number_of<V>> x;
  for (int i = 0; i < count; ++i) x.push_back(number_of<V>(from + i));
  return x;
}
template <class V>
std::vector<number_of<V>> stored(V a) {
  std::vector<number_of<V>> x(V::size);
  a.store(x.data());
  return x;
}
template <class V, int By>
void check_rotated() {
  const auto y = stored(rotated<By>(V::load(counted<V>(0, V::size).data())));
  for (int i = 0; i < V::size; ++i) CHECK(y[std::size_t(i)] == number_of<V>((i + By) % V::size));
}
template <class V, int Count>
void check_first() {
  CAPTURE(Count);
  using T = number_of<V>;
  const first_lanes<V, Count> lanes;
  auto expected = counted<V>(1, V::size);
  for (std::size_t i = Count; i < expected.size(); ++i) expected[i] = 0;
  tenon::test::guarded_rows<T> exactly(1, Count);  // memory after it must not be read or written
  exactly.fill([](int, int i) { return i + 1; });
  CHECK(stored(lanes.load(exactly.data())) == expected);
  lanes.store(exactly.data(), V(4));
  for (int i = 0; i < Count; ++i) CHECK(exactly(0, i) == T(4));
  CHECK(exactly.intact());
  std::vector<T> y(V::size, T(0));
  lanes.store(y.data(), V::load(counted<V>(1, V::size).data()));
  CHECK(y == expected);
}
template <class V>
void check() {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (check_rotated<V, I>(), ...);
    (check_first<V, I + 1>(), ...);
  }
  (std::make_integer_sequence<int, V::size - 1>{});
}

}  // namespace

TEST_CASE("in every width") {
  check<vector<float>>();
  check<vector<double>>();
  check<vector<float, narrowest<float>>>();
  check<vector<double, narrowest<double>>>();
}
TEST_CASE("in a register of int32, whatever the numbers are") {
  check<tenon::test::int32_register<float>>();
  check<tenon::test::int32_register<double>>();
}
