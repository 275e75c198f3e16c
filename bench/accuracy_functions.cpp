// The functions of a SIMD vector against the C library in a wider type: float against double, double against
// long double. Prints the tables of docs/bench/accuracy.md.
#include "../examples/arguments.hpp"
#include <tenon/backend/cpu/math.hpp>
#include <tenon/program/primitive.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

using tenon::backend::simd::vector;
using tenon::ir::opcode, tenon::ir::primitive;

template <class T>
inline constexpr bool single = std::is_same_v<T, float>;
template <class T>
using wider = std::conditional_t<single<T>, double, long double>;
template <class T>
using bits = std::conditional_t<single<T>, std::uint32_t, std::uint64_t>;
template <class T>
using limits = std::numeric_limits<T>;

// --- the functions: on a vector, as defined, and the errors that tests/backend/cpu/math.cpp holds ----------

template <opcode Code>
struct unary {
  template <class V>
  static V on(V x, V) {
    return primitive<Code>::value(x);
  }
  template <class W>
  static W exact(W x, W) {
    return primitive<Code>::value(x);
  }
};
struct exponential : unary<opcode::exp> {
  static constexpr const char* name = "exp";
  static constexpr double low = -745, high = 709, bound = 1.1, bound_double = 1.1;
};
struct sigmoid : unary<opcode::sigmoid> {
  static constexpr const char* name = "sigmoid";
  static constexpr double low = -40, high = 40, bound = 1.8, bound_double = 1.8;
};
struct hyperbolic_tangent : unary<opcode::tanh> {
  static constexpr const char* name = "tanh";
  static constexpr double low = -20, high = 20, bound = 2, bound_double = 2.2;
};
struct softplus : unary<opcode::softplus> {
  static constexpr const char* name = "softplus";
  static constexpr double low = -40, high = 40, bound = 1.7, bound_double = 1.7;
};
struct logarithm : unary<opcode::log> {
  static constexpr const char* name = "log";
  static constexpr double low = 0, high = 4, bound = 0.9, bound_double = 0.9;
};
struct logarithm_of_1_and {
  static constexpr const char* name = "log1p";
  static constexpr double low = -1, high = 4, bound = 0, bound_double = 0;
  template <class V>
  static V on(V x, V) {
    return log1p(x);
  }
  template <class W>
  static W exact(W x, W) {
    return std::log1p(x);
  }
};
template <class Slow, opcode Code>
struct faster : Slow {  // what cpu_with<fast_math> computes, only in float
  static constexpr double bound = Code == opcode::tanh ? 6 : 0;
  static constexpr bool only_float = true;
  static vector<float> on(vector<float> x, vector<float>) {
    return tenon::backend::simd::fast_primitive<Code>::value(x);
  }
};
struct fast_sigmoid : faster<sigmoid, opcode::sigmoid> {
  static constexpr const char* name = "sigmoid, fast_math";
};
struct fast_tanh : faster<hyperbolic_tangent, opcode::tanh> {
  static constexpr const char* name = "tanh, fast_math";
};
struct error_function : unary<opcode::erf> {
  static constexpr const char* name = "erf";
  static constexpr double low = -6, high = 6, bound = 1.3, bound_double = 1.3;
};
struct gelu {  // as tenon::gelu writes it; its definition without the difference of nearly equal numbers
  static constexpr const char* name = "gelu";
  static constexpr double low = -40, high = 40, bound = 0, bound_double = 0;
  template <class V>
  static V on(V x, V) {
    return V(0.5) * primitive<opcode::maximum>::value(x, V(-16)) *
           (V(1) + erf(x * V(1 / std::numbers::sqrt2)));
  }
  template <class W>
  static W exact(W x, W) {
    return std::isinf(x) ? std::max(x, W(-0.0)) : x / 2 * std::erfc(-x / std::numbers::sqrt2_v<W>);
  }
};
struct square_root : unary<opcode::sqrt> {
  static constexpr const char* name = "sqrt";
  static constexpr double low = 0, high = 4, bound = 0.51, bound_double = 0.51;
};
struct quotient {
  static constexpr const char* name = "y / x";
  static constexpr double low = -4, high = 4, bound = 0, bound_double = 0;
  template <class V>
  static V on(V x, V y) {
    return primitive<opcode::divide>::value(y, x);
  }
  template <class W>
  static W exact(W x, W y) {
    return y / x;
  }
};

template <class T, class F>
void each_function(F f) {
  const auto one = [&]<class Function>() {
    if constexpr (single<T> || !requires { Function::only_float; }) f.template operator()<Function>();
  };
  const auto all = [&]<class... Functions>() { (one.template operator()<Functions>(), ...); };
  all.template operator()<exponential, sigmoid, hyperbolic_tangent, softplus, logarithm, logarithm_of_1_and,
                          error_function, gelu, square_root, quotient, fast_sigmoid, fast_tanh>();
}

// --- measuring ---------------------------------------------------------------------------------------------

// Where the next number after the largest one would be: the value that infinity counts as.
template <class T>
wider<T> beyond() {
  return 2 * std::ldexp(wider<T>(1), limits<T>::max_exponent - 1);
}
// The distance between the neighbours in T around `exact`, |exact| at least the smallest normal number.
template <class T>
T unit_of(wider<T> exact) {
  constexpr int digits = limits<T>::digits - 1;
  const T rounded = std::min(static_cast<T>(std::min<wider<T>>(exact, limits<T>::max())), limits<T>::max());
  T power = std::bit_cast<T>(std::bit_cast<bits<T>>(rounded) >> digits << digits);
  if (power > exact) power /= 2;
  return power * limits<T>::epsilon();
}

template <class T>
struct errors {
  double units = 0;            // in the last place, if argument and result are normal numbers
  double units_subnormal = 0;  // the same if the argument is subnormal
  double below = 0;            // absolute, if the result is subnormal
  double absolute = 0;         // if the result is in (-1, 1)
  T units_at = 0, nan_from = limits<T>::infinity();  // the smallest |x| that wrongly gives a NaN

  void add(T x, T got, wider<T> exact) {
    if (std::isnan(got) || std::isnan(exact)) {
      if (!std::isnan(got) || !std::isnan(exact)) nan_from = std::min(nan_from, std::abs(x));
      return;
    }
    exact = std::clamp(exact, -beyond<T>(), beyond<T>());
    const wider<T> y = std::isinf(got) ? std::copysign(beyond<T>(), wider<T>(got)) : wider<T>(got);
    const wider<T> size = std::abs(exact);
    const double off = static_cast<double>(std::abs(y - exact));
    if (size < 1) absolute = std::max(absolute, off);
    if (size < limits<T>::min()) {
      below = std::max(below, off);
      return;
    }
    const double u = off / static_cast<double>(unit_of<T>(size));
    if (std::abs(x) < limits<T>::min()) units_subnormal = std::max(units_subnormal, u);
    else if (u > units) {
      units = u;
      units_at = x;
    }
  }
};

std::uint64_t scrambled(std::uint64_t n) {  // splitmix64
  n += 0x9e3779b97f4a7c15;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
  n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
  return n ^ (n >> 31);
}

// Tests every argument that `next(n)` returns for n from 0 to `count`; the second operand is arbitrary.
template <class F, class T, class Next>
void walk(errors<T>& seen, std::uint64_t count, Next next) {
  constexpr int size = vector<T>::size;
  T x[size], y[size], got[size];
  for (std::uint64_t n = 0; n < count; n += size) {
    for (int i = 0; i < size; ++i) {
      x[i] = next(n + static_cast<std::uint64_t>(i));
      y[i] = std::bit_cast<T>(static_cast<bits<T>>(scrambled(n + static_cast<std::uint64_t>(i))));
    }
    F::on(vector<T>::load(x), vector<T>::load(y)).store(got);
    for (int i = 0; i < size; ++i) seen.add(x[i], got[i], F::exact(wider<T>(x[i]), wider<T>(y[i])));
  }
}

template <class F>
errors<float> measure(float, std::uint32_t every) {
  errors<float> seen;
  const auto number = [](std::uint64_t n) { return std::bit_cast<float>(static_cast<std::uint32_t>(n)); };
  walk<F>(seen, (std::uint64_t(1) << 32) / every, [&](std::uint64_t n) { return number(n * every); });
  const std::uint64_t around = std::bit_cast<std::uint32_t>(seen.units_at), reach = 1 << 16;
  walk<F>(seen, 2 * reach, [&](std::uint64_t n) { return number(around - reach + n); });
  return seen;
}
template <class F>
errors<double> measure(double, std::uint32_t) {
  errors<double> seen;
  constexpr std::uint64_t count = std::uint64_t(1) << 22;
  const auto between = [](double low, double high, std::uint64_t n) {
    return low + (high - low) * static_cast<double>(scrambled(n) >> 11) * 0x1p-53;
  };
  walk<F>(seen, count, [&](std::uint64_t n) {  // all orders of magnitude, subnormal numbers too
    return std::bit_cast<double>((n << 42) + (scrambled(n) >> 22));
  });
  walk<F>(seen, count, [&](std::uint64_t n) {  // those that matter most
    return (n % 2 == 0 ? 1 : -1) * std::exp2(between(-30, 10, n));
  });
  walk<F>(seen, count, [&](std::uint64_t n) { return between(F::low, F::high, n); });
  return seen;
}

// --- the tables --------------------------------------------------------------------------------------------

std::string text(double x, int digits) {
  char all[40];
  std::snprintf(all, sizeof all, "%.*g", digits, x);
  return all;
}
std::string in_units(double units) {
  char all[40];
  std::snprintf(all, sizeof all, units < 100 ? "%.2f" : "%.2g", units);
  return all;
}

template <class T>
void write_errors(std::uint32_t every) {
  std::printf("### %s\n\n", single<T> ? "float" : "double");
  std::printf("| function | largest error | at | tests hold | subnormal arguments | subnormal results |\n");
  std::printf("|---|--:|--:|--:|--:|--:|\n");
  std::string notes;
  each_function<T>([&]<class F>() {
    std::fprintf(stderr, "%s, %s\n", F::name, single<T> ? "float" : "double");
    const errors<T> seen = measure<F>(T(), every);
    const double bound = single<T> ? F::bound : F::bound_double;
    std::printf("| %s | %s | %s | %s%s | %s | %s |\n", F::name, in_units(seen.units).c_str(),
                text(double(seen.units_at), single<T> ? 8 : 10).c_str(),
                bound > 0 ? text(bound, 3).c_str() : "",
                bound > 0 && seen.units > bound ? ", **beyond**" : "", in_units(seen.units_subnormal).c_str(),
                text(seen.below, 2).c_str());
    if (seen.nan_from < limits<T>::infinity())
      notes += std::string("- ") + F::name + " gives not-a-number by mistake, first seen at " +
               text(double(seen.nan_from), 3) + "\n";
    if (seen.units > 1000)
      notes += std::string("- ") + F::name +
               ": no digit is correct where the result is near 0 and x is not; for results "
               "in (-1, 1), the\n  error is at most " +
               text(seen.absolute, 2) + "\n";
  });
  std::printf("\n%s\n", notes.c_str());
}

// Is it equal or close to the C library's result?
template <class T>
bool agrees(T got, T expected) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected) || expected == 0)
    return got == expected && std::signbit(got) == std::signbit(expected);
  return std::abs(got - expected) <=
         100 * limits<T>::epsilon() * std::abs(expected) + 20 * limits<T>::denorm_min();
}

template <class T>
void write_ends() {
  const T tiny = limits<T>::denorm_min(), most = limits<T>::max(), infinite = limits<T>::infinity();
  const T arguments[]{
      -infinite, -most,    -limits<T>::min() / 2, -tiny, T(-0.0), 0, tiny, limits<T>::min() / 2,
      most,      infinite, limits<T>::quiet_NaN()};
  std::printf("| %s |", single<T> ? "float" : "double");
  for (T x : arguments) std::printf(" %s |", text(double(x), 2).c_str());
  std::printf("\n|---|");
  for ([[maybe_unused]] T x : arguments) std::printf("--:|");
  std::printf("\n");
  each_function<T>([&]<class F>() {
    std::printf("| %s |", std::is_same_v<F, quotient> ? "1 / x" : F::name);
    for (T x : arguments) {
      T lanes[vector<T>::size];
      F::on(vector<T>(x), vector<T>(1)).store(lanes);
      const T expected = static_cast<T>(F::exact(wider<T>(x), wider<T>(1)));
      const auto shown = [](T y) { return std::isnan(y) ? "nan" : text(double(y), 3); };
      if (agrees(lanes[0], expected)) std::printf(" %s |", shown(lanes[0]).c_str());
      else std::printf(" **%s**, not %s |", shown(lanes[0]).c_str(), shown(expected).c_str());
    }
    std::printf("\n");
  });
  std::printf("\n");
}

template <class T>
void write_row(std::string_view name, std::uint32_t every) {
  std::printf("| %.*s, %s |", static_cast<int>(name.size()), name.data(), single<T> ? "float" : "double");
  each_function<T>([&]<class F>() { std::printf(" %s |", in_units(measure<F>(T(), every).units).c_str()); });
  std::printf("\n");
}

int write_tables(std::uint32_t every, const std::string& row) {
  if (!row.empty()) {
    write_row<float>(row, every);
    write_row<double>(row, every);
    return 0;
  }
  if (every == 1) std::printf("Float: every number. ");
  else std::printf("Float: one number in %u, and all numbers near the largest error. ", every);
#if defined(TENON_COMPILER_VECTORS)
  std::printf("This program computes with the compiler's vectors.\n\n");
#else
  std::printf("This program computes with %s.\n\n", xsimd::default_arch::name());
#endif
  write_errors<float>(every);
  write_errors<double>(every);
  std::printf("### At the ends\n\nValues in bold differ from the exact ones by more than rounding.\n\n");
  write_ends<float>();
  write_ends<double>();
  std::printf("### Other instruction sets\n\n| largest error |");
  each_function<float>([]<class F>() { std::printf(" %s |", F::name); });
  std::printf("\n|---|");
  each_function<float>([]<class F>() { std::printf("--:|"); });
  std::printf("\n");
  return 0;
}

}  // namespace

int main(int count, char** words) {
  std::uint64_t every = 31;
  std::string row;
  return command_line::program(
      "bench_accuracy_functions: tables of docs/bench/accuracy.md", count, words,
      {{"--every", &every, "one float in so many; 1: all of them", 1, 1e9},
       {"--row", &row, "only the largest errors, for the rows that begin with this name"}},
      [&] { return write_tables(static_cast<std::uint32_t>(every), row); });
}
