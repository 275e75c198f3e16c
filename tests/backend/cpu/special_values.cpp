// Infinities, NaN, zeros of both signs, subnormal and huge numbers: every function of the equation language, value
// and derivative, on a SIMD vector, against the same formula for single numbers and against its limits.
#include "support/equation.hpp"
#include <tenon/backend/cpu/math.hpp>
#include <tenon/equation/language.hpp>
#include <tenon/equation/reverse.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::ir;
using namespace tenon::test;

namespace {

template <class T>
using lanes_of = backend::simd::vector<T>;

template <class T>
std::vector<T> special_values() {
  using limits = std::numeric_limits<T>;
  std::vector<T> all{limits::quiet_NaN()};
  for (T x :
       {T(0), limits::denorm_min(), limits::min() / 2, limits::min(), limits::epsilon(), T(0.5), T(1), T(20),
        T(88.3), T(88.5), T(110), T(709.4), T(709.5), T(760), T(1e30), limits::max(), limits::infinity()})
    all.insert(all.end(), {x, -x});
  return all;
}

/// The first lane; the others must have the same.
template <class T>
T number_of(lanes_of<T> a) {
  T lanes[lanes_of<T>::size];
  a.store(lanes);
  for (T y : lanes) CHECK((y == lanes[0] || (std::isnan(y) && std::isnan(lanes[0]))));
  return lanes[0];
}
template <class T>
T number_of(T a) {
  return a;
}

/// The result of p for one feature, computed with vectors or single numbers.
template <class Number, class T>
std::vector<T> evaluated(const program& p, const std::vector<T>& inputs) {
  std::vector<Number> local;
  const auto at = [&](int k) { return local[static_cast<std::size_t>(k)]; };
  for (const instruction& i : p.code) {
    Number y{};
    if (i.code == opcode::input) y = Number(inputs[static_cast<std::size_t>(i.first)]);
    else if (i.code == opcode::constant) y = Number(static_cast<T>(i.number));
    else
      visit_primitive(i.code, [&](auto function) {
        if constexpr (function.arity == 1) y = function.value(at(i.a));
        else if constexpr (function.arity == 2) y = function.value(at(i.a), at(i.b));
        else y = function.value(at(i.a), at(i.b), at(i.c));
      });
    local.push_back(y);
  }
  std::vector<T> outputs;
  for (int o : p.outputs) outputs.push_back(number_of(at(o)));
  return outputs;
}

template <class T>
bool agree(T expected, T got) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  if (expected == 0 && got == 0) return std::signbit(expected) == std::signbit(got);
  const T tolerance = 8 * std::numeric_limits<T>::epsilon() * std::abs(expected);
  return std::abs(got - expected) <= tolerance + std::numeric_limits<T>::min();
}

/// f and its derivatives, with one feature each, where every operand takes every special value.
template <class T, class... Operands, class F>
void check(const std::string& name, F f) {
  sizes features;
  list<bool, max_program_inputs> wanted;
  for (std::size_t k = 0; k < sizeof...(Operands); ++k) {
    features.add(1);
    wanted.add(true);
  }
  const differentiated d = reverse(program_of(features, f), wanted);
  const std::vector<T> values = special_values<T>();
  std::size_t cases = 1;
  for (std::size_t k = 0; k < sizeof...(Operands); ++k) cases *= values.size();
  for (std::size_t n = 0; n < cases; ++n) {
    std::vector<T> inputs;
    for (std::size_t k = 0, rest = n; k < sizeof...(Operands); ++k, rest /= values.size())
      inputs.push_back(values[rest % values.size()]);
    inputs.push_back(1);  // the adjoint
    const std::vector<T> expected = evaluated<T>(d.joint, inputs),
                         got = evaluated<lanes_of<T>>(d.joint, inputs);
    for (std::size_t o = 0; o < got.size(); ++o)
      if (!agree(expected[o], got[o]))
        FAIL_CHECK(name << std::string(o == 0 ? ": value" : ": derivative") << " at " << inputs[0] << ", "
                        << inputs[1] << ": expected " << expected[o] << ", got " << got[o]);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a vector computes what a number does", T, float, double) {
  check<T, T>("negative", [](auto x) { return -x; });
  check<T, T>("exp", [](auto x) { return exp(x); });
  check<T, T>("log", [](auto x) { return log(x); });
  check<T, T>("sqrt", [](auto x) { return sqrt(x); });
  check<T, T>("abs", [](auto x) { return abs(x); });
  check<T, T>("sign", [](auto x) { return sign(x) + 0 * x; });
  check<T, T>("sigmoid", [](auto x) { return sigmoid(x); });
  check<T, T>("tanh", [](auto x) { return tanh(x); });
  check<T, T>("relu", [](auto x) { return relu(x); });
  check<T, T>("softplus", [](auto x) { return softplus(x); });
  check<T, T>("erf", [](auto x) { return erf(x); });
  check<T, T>("gelu", [](auto x) { return gelu(x); });
  check<T, T, T>("sum", [](auto x, auto y) { return x + y; });
  check<T, T, T>("difference", [](auto x, auto y) { return x - y; });
  check<T, T, T>("product", [](auto x, auto y) { return x * y; });
  check<T, T, T>("quotient", [](auto x, auto y) { return x / y; });
  check<T, T, T>("max", [](auto x, auto y) { return max(x, y); });
  check<T, T, T>("min", [](auto x, auto y) { return min(x, y); });
  check<T, T, T>("greater", [](auto x, auto y) { return greater(x, y) + 0 * x; });
  check<T, T, T>("equal", [](auto x, auto y) { return equal(x, y) + 0 * x; });
  check<T, T, T>("select", [](auto x, auto y) { return select(x, y, x); });
}

namespace {

/// Value and derivative at x.
template <class T, class F>
void expect(F f, T x, double value, double derivative) {
  const differentiated d = reverse(program_of({1}, f), {true});
  CAPTURE(x);
  for (const std::vector<T>& got :
       {evaluated<lanes_of<T>>(d.joint, std::vector<T>{x, 1}), evaluated<T>(d.joint, std::vector<T>{x, 1})}) {
    CHECK(got[0] == doctest::Approx(value));
    CHECK(got[1] == doctest::Approx(derivative));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("far out, functions and derivatives have their limits", T, float, double) {
  for (T far : {T(1e30), std::numeric_limits<T>::max(), std::numeric_limits<T>::infinity()}) {
    expect<T>([](auto x) { return exp(x); }, -far, 0, 0);
    expect<T>([](auto x) { return sigmoid(x); }, -far, 0, 0);
    expect<T>([](auto x) { return sigmoid(x); }, far, 1, 0);
    expect<T>([](auto x) { return tanh(x); }, -far, -1, 0);
    expect<T>([](auto x) { return tanh(x); }, far, 1, 0);
    expect<T>([](auto x) { return relu(x); }, -far, 0, 0);
    expect<T>([](auto x) { return softplus(x); }, -far, 0, 0);
    expect<T>([](auto x) { return erf(x); }, -far, -1, 0);
    expect<T>([](auto x) { return erf(x); }, far, 1, 0);
    expect<T>([](auto x) { return gelu(x); }, -far, 0, 0);
  }
}

TEST_CASE_TEMPLATE("not-a-number stays so", T, float, double) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const auto keeps = [&](auto f, std::vector<T> inputs) {
    sizes features;
    for (std::size_t k = 0; k < inputs.size(); ++k) features.add(1);
    const program p = program_of(features, f);
    CHECK(std::isnan(evaluated<lanes_of<T>>(p, inputs)[0]));
    CHECK(std::isnan(evaluated<T>(p, inputs)[0]));
  };
  keeps([](auto x) { return exp(x); }, {nan});
  keeps([](auto x) { return log(x); }, {nan});
  keeps([](auto x) { return sqrt(x); }, {nan});
  keeps([](auto x) { return abs(x); }, {nan});
  keeps([](auto x) { return sigmoid(x); }, {nan});
  keeps([](auto x) { return tanh(x); }, {nan});
  keeps([](auto x) { return relu(x); }, {nan});
  keeps([](auto x) { return softplus(x); }, {nan});
  keeps([](auto x) { return erf(x); }, {nan});
  keeps([](auto x) { return gelu(x); }, {nan});
  for (const std::vector<T>& pair : {std::vector<T>{nan, 1}, std::vector<T>{1, nan}}) {
    keeps([](auto x, auto y) { return max(x, y); }, pair);
    keeps([](auto x, auto y) { return min(x, y); }, pair);
  }
}
