// SIMD vectors of each width: operations lane by lane, over all lanes, and on only the first lanes.
#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/simd.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace tenon::backend::simd;

namespace {

#define EVERY_VECTOR \
  vector<float>, vector<double>, vector<float, narrowest<float>>, vector<double, narrowest<double>>

template <class V>
using numbers = std::vector<number_of<V>>;

/// 1.25, -2.5, 3.75, ..
template <class V>
numbers<V> some_numbers() {
  numbers<V> x(V::size);
  for (int i = 0; i < V::size; ++i) x[std::size_t(i)] = number_of<V>((i % 2 == 0 ? 1.25 : -1.25) * (i + 1));
  return x;
}
template <class V>
numbers<V> stored(V a) {
  numbers<V> x(V::size);
  a.store(x.data());
  return x;
}
/// f(x) of every number
template <class V, class F>
numbers<V> each(F f) {
  numbers<V> x = some_numbers<V>();
  for (number_of<V>& a : x) a = f(a);
  return x;
}

}  // namespace

TEST_CASE_TEMPLATE("lane by lane", V, EVERY_VECTOR) {
  using T = number_of<V>;
  const numbers<V> x = some_numbers<V>();
  const V a = V::load(x.data()), three(3);
  CHECK(stored(a) == x);
  CHECK(stored(-a) == each<V>([](T v) { return -v; }));
  CHECK(stored(a + three) == each<V>([](T v) { return v + 3; }));
  CHECK(stored(a - three) == each<V>([](T v) { return v - 3; }));
  CHECK(stored(a * three) == each<V>([](T v) { return v * 3; }));
  CHECK(stored(a / three) == each<V>([](T v) { return v / 3; }));
  CHECK(stored(fma(a, three, a)) == each<V>([](T v) { return v * 4; }));
  CHECK(stored(fnma(a, three, a)) == each<V>([](T v) { return v * -2; }));
  CHECK(stored(abs(a)) == each<V>([](T v) { return std::abs(v); }));
#ifndef __FAST_MATH__  // which permits estimates
  CHECK(stored(sqrt(abs(a))) == each<V>([](T v) { return std::sqrt(std::abs(v)); }));
#endif
  CHECK(stored(at_most(a, three)) == each<V>([](T v) { return v < 3 ? v : 3; }));
  CHECK(stored(at_least(a, three)) == each<V>([](T v) { return v > 3 ? v : 3; }));
  CHECK(stored(with_sign(three, a)) == each<V>([](T v) { return v < 0 ? T(-3) : T(3); }));
  CHECK(stored(select(a < three, a, three)) == each<V>([](T v) { return v < 3 ? v : 3; }));
  CHECK(stored(select(a > three, a, three)) == each<V>([](T v) { return v > 3 ? v : 3; }));
  CHECK(stored(select(a == V(T(1.25)), three, a)) == each<V>([](T v) { return v == T(1.25) ? T(3) : v; }));
  if constexpr (!__FINITE_MATH_ONLY__) CHECK(std::signbit(stored(-V(0))[0]));
  const T not_a_number = std::numeric_limits<T>::quiet_NaN();
  if constexpr (!__FINITE_MATH_ONLY__) {
    CHECK(std::isnan(stored(at_most(V(not_a_number), three))[0]));
    CHECK(std::isnan(stored(at_least(V(not_a_number), three))[0]));
  }
}
#ifndef __FAST_MATH__  // which permits estimates
TEST_CASE_TEMPLATE("quotients and roots are rounded once", V, EVERY_VECTOR) {
  using T = number_of<V>;
  using limits = std::numeric_limits<T>;
  const auto check = [](V got, T expected) {
    CAPTURE(expected);
    for (T y : stored(got)) CHECK((y == expected || (std::isnan(y) && std::isnan(expected))));
  };
  const T all[]{0,       limits::denorm_min(), limits::min() / 16, limits::min(), T(0.1), 1, 3, T(1e5),
                T(7e29), limits::max(),        limits::infinity()};
  for (T x : all) {
    CAPTURE(x);
    check(sqrt(V(x)), std::sqrt(x));
    for (T y : all) check(V(x) / V(y), x / y);
    for (T y : all) check(V(-x) / V(y), -x / y);
  }
}
#endif
TEST_CASE_TEMPLATE("whole numbers and powers of two", V, EVERY_VECTOR) {
  using T = number_of<V>;
  const T share(T(0.61));  // nothing half way between two
  const whole_number<V> n(V::load(some_numbers<V>().data()), V(share));
  const auto nearest = [&](T v) { return static_cast<int>(std::nearbyint(v * share)); };
  CHECK(stored(n.value()) == each<V>([&](T v) { return T(nearest(v)); }));
  CHECK(stored(n.power()) == each<V>([&](T v) { return std::ldexp(T(1), nearest(v)); }));
  CHECK(stored(n.inverse_power()) == each<V>([&](T v) { return std::ldexp(T(1), -nearest(v)); }));
  CHECK(stored(scale(V(3), n.value())) == each<V>([&](T v) { return std::ldexp(T(3), nearest(v)); }));
}
TEST_CASE_TEMPLATE("over all lanes", V, EVERY_VECTOR) {
  using T = number_of<V>;
  const V a = V::load(some_numbers<V>().data());
  T total = 0, largest = 0;
  for (T v : some_numbers<V>()) total += v, largest = v > largest ? v : largest;
  CHECK(sum(a) == total);
  CHECK(highest(a) == largest);
  CHECK(first(a) == T(1.25));
}
TEST_CASE_TEMPLATE("the first lanes alone", V, EVERY_VECTOR) {
  using T = number_of<V>;
  const numbers<V> x = some_numbers<V>();
  for (int count = 1; count <= V::size; ++count) {
    CAPTURE(count);
    const part<V> lanes(count);
    const auto expected = [&](T other) {
      numbers<V> y = x;
      for (std::size_t i = std::size_t(count); i < y.size(); ++i) y[i] = other;
      return y;
    };
    tenon::test::guarded_rows<T> exactly(1, count);  // memory after it must not be read or written
    exactly.fill([&](int, int i) { return x[std::size_t(i)]; });
    CHECK(stored(lanes.load(exactly.data())) == expected(0));
    lanes.store(exactly.data(), V(4));
    for (int i = 0; i < count; ++i) CHECK(exactly(0, i) == T(4));
    CHECK(exactly.intact());
    CHECK(stored(lanes.keep(V::load(x.data()), 7)) == expected(7));
    numbers<V> y(V::size, T(9));
    lanes.store(y.data(), V::load(x.data()));
    CHECK(y == expected(9));
  }
}
TEST_CASE_TEMPLATE("one number in a row of its own", V, EVERY_VECTOR) {
  using T = number_of<V>;
  T x = 5;
  const single<V> lane;
  CHECK(stored(lane.load(&x)) == numbers<V>(V::size, T(5)));
  lane.store(&x, V(6));
  CHECK(x == 6);
  CHECK(sum(lane.keep(V(3), 0)) == 3);
}
TEST_CASE("a row takes the narrowest vector that holds it") {
  CHECK(lanes_for<float>(1) == narrowest<float>);
  CHECK(lanes_for<float>(narrowest<float>) == narrowest<float>);
  CHECK(lanes_for<float>(narrowest<float> + 1) == widest<float>);
  CHECK(lanes_for<double>(1000) == widest<double>);
}
