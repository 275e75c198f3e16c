// The functions of a SIMD vector against the C library in a wider type. The largest errors of all floats
// and of some ten million doubles, in units of the last place, with AVX-512, AVX2 and SSE2 alike:
//              exp   tanh  sigmoid  softplus  log   erf
//   float      1.07  1.996 1.77     1.62      0.83  1.2
//   double     1.1   2.2   1.8      1.7       0.85  1.3
#include "support/guarded_rows.hpp"
#include "support/worse.hpp"
#include <tenon/backend/cpu/math.hpp>
#include <tenon/program/scalar.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

using namespace tenon;
using namespace tenon::ir;
using backend::simd::vector;
using test::worse;

namespace {

template <class T>
using wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

// With -ffast-math, compilers may divide floats, and take their roots, by one step of Newton's method from an estimate: g++ always, clang on
// some processors. By how much an estimate is off differs from processor to processor, at most by 1.5 * 2^-12 (Intel 64 and IA-32
// Architectures Software Developer's Manual, RCPPS and RSQRTPS). The step leaves the square of that, of a root 1.5 times the square; its
// operations are off by 1.5 and 2 units in the last place.
#if defined(__FAST_MATH__)
constexpr double estimate = 1.5 / 4096, left = estimate * estimate * (1 << 24);
constexpr double of_quotient = left + 1.5, of_root = 1.5 * left + 2;  // units in the last place
#else
constexpr double of_quotient = 0, of_root = 0;
#endif
// g++ then takes sines of long double, with which those of double are compared, from the x87, which is not exact.
#if defined(__FAST_MATH__) && !defined(__clang__)
constexpr bool has_exact_sines = false;
#else
constexpr bool has_exact_sines = true;
#endif

template <opcode Code, class T>
T on_vector(T x) {
  T lanes[vector<T>::size];
  primitive<Code>::value(vector<T>(x)).store(lanes);
  for (T y : lanes) CHECK((y == lanes[0] || (std::isnan(y) && std::isnan(lanes[0]))));
  return lanes[0];
}

/// The largest error in [low, high], in units of the last place; evenly spread, and at every order of
/// magnitude.
template <opcode Code, class T, template <opcode> class Function = primitive, class V = vector<T>>
double largest_error(double low, double high) {
  constexpr int size = V::size;
  test::noise random(1);
  double largest = 0;
  for (int n = 0; n < 100000; n += size) {
    T x[size], y[size];
    for (T& a : x) {
      const double u = random();
      a = static_cast<T>(n % 2 == 0 ? low + (high - low) * (u + 1) / 2
                                    : (u < 0 ? low : high) * std::exp(-60 * std::abs(u)));
    }
    Function<Code>::value(V::load(x)).store(y);
    for (int i = 0; i < size; ++i) {
      const wider<T> expected = primitive<Code>::value(wider<T>(x[i]));
      const T rounded = std::abs(static_cast<T>(expected));
      constexpr T most = std::numeric_limits<T>::max();
      constexpr T least = std::numeric_limits<T>::min();  // with -ffast-math, smaller units are flushed to 0
      if (rounded < (__FINITE_MATH_ONLY__ ? least / std::numeric_limits<T>::epsilon() : 2 * least)) continue;
      if (rounded >= most) continue;
      const T unit = std::nextafter(rounded, most) - rounded;
      largest = worse(largest, static_cast<double>(std::abs(wider<T>(y[i]) - expected) / unit));
    }
  }
  return largest;
}

/// At 0, for large numbers, infinities and NaN: the same as the formula for single numbers.
template <opcode Code, class T>
void check_ends() {
  const T infinite = std::numeric_limits<T>::infinity();
  for (T x : {T(0), T(-0.0), T(100), T(-100), T(1000), T(-1000), infinite, -infinite,
              std::numeric_limits<T>::quiet_NaN()}) {
    CAPTURE(x);
    const T expected = primitive<Code>::value(x), got = on_vector<Code>(x);
    if (std::isnan(expected)) CHECK(std::isnan(got));
    else if (std::isinf(expected)) CHECK(got == expected);
    else CHECK(std::abs(got - expected) <= T(2e-6) * std::abs(expected) + std::numeric_limits<T>::min());
  }
}

}  // namespace

TEST_CASE_TEMPLATE("errors in units of the last place", T, float, double) {
  constexpr bool single = std::is_same_v<T, float>;
  const double exp_end = single ? 88 : 709;
  CHECK(largest_error<opcode::exp, T>(-exp_end, exp_end) <= 1.1);
  CHECK(largest_error<opcode::tanh, T>(-12, 12) <= (single ? 2 + of_quotient : 2.2));
  CHECK(largest_error<opcode::sigmoid, T>(-85, 100) <= 1.8 + (single ? of_quotient : 0));
  CHECK(largest_error<opcode::softplus, T>(-80, 100) <= 1.7);
  CHECK(largest_error<opcode::log, T>(1e-30, 1e30) <= 0.9);
  CHECK(largest_error<opcode::sqrt, T>(1e-30, 1e30) <= 0.51 + (single ? of_root : 0));
  CHECK(largest_error<opcode::erf, T>(-6, 6) <= 1.3);
  if constexpr (single || has_exact_sines) {
    CHECK(largest_error<opcode::sin, T>(-10000, 10000) <= (single ? 1.5 : 2));
    CHECK(largest_error<opcode::cos, T>(-10000, 10000) <= (single ? 1.5 : 2));
  }
}

namespace {

/// The largest error of one float in `every`, and of all floats around `worst`, where the largest error is known to
/// be. A subnormal result may be completely wrong. All floats take half a minute; they were measured by hand.
template <opcode Code>
double largest_error_of_all(float worst, std::uint32_t every = 4093) {
  constexpr std::uint32_t size = vector<float>::size, reach = 1 << 12;
  double largest = 0;
  const auto walk = [&](std::uint64_t first, std::uint64_t last, std::uint32_t step) {
    for (std::uint64_t n = first; n < last; n += size * step) {
      float x[size], y[size];
      for (std::uint32_t i = 0; i < size; ++i)
        x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(n + i * step));
      primitive<Code>::value(vector<float>::load(x)).store(y);
      for (std::uint32_t i = 0; i < size; ++i) {
        const double expected = primitive<Code>::value(static_cast<double>(x[i])),
                     size_of = std::abs(expected);
        const double off = std::abs(y[i] - expected);
        if (std::isnan(expected) ? !std::isnan(y[i]) : size_of < 0x1p-126 && !(off < 0x1p-126))
          FAIL_CHECK(x[i]);
        if (size_of >= 0x1p-126 && size_of < 0x1p128)
          largest = worse(largest, off / std::ldexp(1, std::ilogb(size_of) - 23));
      }
    }
  };
  walk(0, std::uint64_t(1) << 32, every);
  const std::uint32_t around = std::bit_cast<std::uint32_t>(worst);
  walk(around - reach, around + reach, 1);
  return largest;
}

}  // namespace

TEST_CASE("every float" * doctest::skip(__FINITE_MATH_ONLY__)) {
  CHECK(largest_error_of_all<opcode::exp>(-5.84300232f) <= 1.1);
  CHECK(largest_error_of_all<opcode::tanh>(0.124872349f) <= 2);
  CHECK(largest_error_of_all<opcode::sigmoid>(-1.10128641f) <= 1.8);
  CHECK(largest_error_of_all<opcode::softplus>(0.343692034f) <= 1.7);
  CHECK(largest_error_of_all<opcode::log>(0.387784034f) <= 0.9);
  CHECK(largest_error_of_all<opcode::erf>(1.02907741f) <= 1.3);
}

namespace {

template <opcode Code, class T, template <opcode> class Function = primitive>
void check_narrow() {
  using narrow = vector<T, backend::simd::narrowest<T>>;
  test::noise random(3);
  for (int n = 0; n < 1000; ++n) {
    T x[vector<T>::size], y[vector<T>::size], z[narrow::size];
    for (T& a : x) a = static_cast<T>(random() * std::exp(10 * random()));
    Function<Code>::value(vector<T>::load(x)).store(y);
    for (int i = 0; i < vector<T>::size; i += narrow::size) {
      Function<Code>::value(narrow::load(x + i)).store(z);
      CHECK(std::memcmp(y + i, z, sizeof z) == 0);
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a narrow vector computes the same" * doctest::skip(__FINITE_MATH_ONLY__), T, float,
                   double) {
  check_narrow<opcode::exp, T>();
  check_narrow<opcode::tanh, T>();
  check_narrow<opcode::sigmoid, T>();
  check_narrow<opcode::sqrt, T>();
  check_narrow<opcode::erf, T>();
  check_narrow<opcode::abs, T>();
  check_narrow<opcode::sign, T>();
  check_narrow<opcode::relu, T>();
}
TEST_CASE_TEMPLATE("a logarithm as well as a wide one", T, float,
                   double) {  // xsimd's may differ in the last place
  using narrow = vector<T, backend::simd::narrowest<T>>;
  CHECK(largest_error<opcode::softplus, T, primitive, narrow>(-80, 100) <= 1.7);
  CHECK(largest_error<opcode::log, T, primitive, narrow>(1e-30, 1e30) <= 0.9);
}
TEST_CASE("with the faster functions, too" * doctest::skip(__FINITE_MATH_ONLY__)) {
  check_narrow<opcode::tanh, float, backend::simd::fast_primitive>();
  check_narrow<opcode::sigmoid, float, backend::simd::fast_primitive>();
}

TEST_CASE_TEMPLATE("logarithms of subnormal numbers" * doctest::skip(__FINITE_MATH_ONLY__), T, float,
                   double) {
  for (T x = std::numeric_limits<T>::denorm_min(); x < 2 * std::numeric_limits<T>::min(); x *= T(1.75))
    CHECK(on_vector<opcode::log>(x) ==
          doctest::Approx(std::log(x)).epsilon(4 * std::numeric_limits<T>::epsilon()));
}

TEST_CASE_TEMPLATE("limits, zeros and not-a-number" * doctest::skip(__FINITE_MATH_ONLY__), T, float, double) {
  check_ends<opcode::exp, T>();
  check_ends<opcode::tanh, T>();
  check_ends<opcode::sigmoid, T>();
  check_ends<opcode::softplus, T>();
  check_ends<opcode::log, T>();
  check_ends<opcode::sqrt, T>();
  check_ends<opcode::erf, T>();
  check_ends<opcode::abs, T>();
  check_ends<opcode::sign, T>();
  check_ends<opcode::relu, T>();
  CHECK(std::signbit(on_vector<opcode::tanh>(T(-0.0))));
}

TEST_CASE_TEMPLATE("exp underflows gradually and tanh is odd" * doctest::skip(__FINITE_MATH_ONLY__), T, float,
                   double) {
  const T lowest = std::is_same_v<T, float> ? T(-100) : T(-740);
  CHECK(on_vector<opcode::exp>(lowest) == doctest::Approx(std::exp(lowest)));
  CHECK(on_vector<opcode::exp>(lowest) > 0);
  test::noise random(2);
  for (int n = 0; n < 1000; ++n) {
    const T x = static_cast<T>(5 * random());
    CHECK(on_vector<opcode::tanh>(-x) == -on_vector<opcode::tanh>(x));
  }
}

TEST_CASE("the faster functions keep their bounds, and their ends") {
  using backend::simd::fast_primitive;
  CHECK(largest_error<opcode::tanh, float, fast_primitive>(-12, 12) <= 6);
  CHECK(largest_error<opcode::exp, float, fast_primitive>(-88, 88) <= 1.2);  // as it was
  constexpr int size = vector<float>::size;
  double worst = 0;
  float largest = 0;
  for (float x = -20; x <= 20; x += 0x1p-12f * size) {
    float lanes[size], s[size], t[size];
    for (int i = 0; i < size; ++i) lanes[i] = x + 0x1p-12f * static_cast<float>(i);
    fast_primitive<opcode::sigmoid>::value(vector<float>::load(lanes)).store(s);
    fast_primitive<opcode::tanh>::value(vector<float>::load(lanes)).store(t);
    for (int i = 0; i < size; ++i) {
      worst = worse(worst, std::abs(s[i] - 1 / (1 + std::exp(-double(lanes[i])))));
      largest = worse(worse(largest, std::abs(t[i])), std::max(s[i], s[i] < 0 ? 2.f : 0.f));
    }
  }
  CHECK(worst <= 0x1p-22);
  if constexpr (of_quotient == 0) CHECK(largest <= 1);
  const auto at = [](auto function, float x) {
    float lanes[size];
    function.value(vector<float>(x)).store(lanes);
    return lanes[0];
  };
  if constexpr (__FINITE_MATH_ONLY__) return;
  const float infinite = std::numeric_limits<float>::infinity();
  CHECK(at(fast_primitive<opcode::tanh>{}, infinite) == doctest::Approx(1).epsilon(4e-7));
  CHECK(at(fast_primitive<opcode::tanh>{}, -infinite) == -at(fast_primitive<opcode::tanh>{}, infinite));
  CHECK(at(fast_primitive<opcode::sigmoid>{}, infinite) == doctest::Approx(1).epsilon(2e-7));
  CHECK(at(fast_primitive<opcode::sigmoid>{}, -infinite) <= 0x1p-22f);
  CHECK(std::isnan(at(fast_primitive<opcode::tanh>{}, std::numeric_limits<float>::quiet_NaN())));
  CHECK(std::isnan(at(fast_primitive<opcode::sigmoid>{}, std::numeric_limits<float>::quiet_NaN())));
  CHECK(std::signbit(at(fast_primitive<opcode::tanh>{}, -0.f)));
}

TEST_CASE_TEMPLATE("erf is 1 however far out", T, float, double) {
  using limits = std::numeric_limits<T>;
  for (T x : {T(6), T(11), T(1e20), limits::max(), __FINITE_MATH_ONLY__ ? T(7) : limits::infinity()}) {
    CHECK(on_vector<opcode::erf>(x) == 1);
    CHECK(on_vector<opcode::erf>(-x) == -1);
  }
  if constexpr (__FINITE_MATH_ONLY__) return;
  CHECK(std::isnan(on_vector<opcode::erf>(std::numeric_limits<T>::quiet_NaN())));
}
