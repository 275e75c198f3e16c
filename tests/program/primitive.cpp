// Primitives: each value against the interpreter's own formula, at ordinary numbers and at the edges.
#include "support/interpret.hpp"
#include <tenon/program/kernel.hpp>
#include <tenon/program/primitives.hpp>

#include <doctest/doctest.h>

#include <array>
#include <limits>

using namespace tenon;
using namespace tenon::ir;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double samples[]{-3, -1, -0.25, 0, 0.25, 1, 2.5};

double value_of(opcode code, double a, double b, double c) {
  double result = 0;
  visit_primitive(code, [&](auto p) {
    if constexpr (p.arity == 1) result = p.value(a);
    else if constexpr (p.arity == 2) result = p.value(a, b);
    else result = p.value(a, b, c);
  });
  return result;
}

}  // namespace

TEST_CASE("each primitive is the interpreter's formula") {
  for (int k = static_cast<int>(opcode::copy); k < static_cast<int>(opcode::count); ++k) {
    const opcode code = static_cast<opcode>(k);
    CAPTURE(spelling(code));
    for (double a : samples)
      for (double b : samples)
        for (double c : samples) {
          const double expected = test::interpret_element(code, a, b, c), got = value_of(code, a, b, c);
          if (std::isnan(expected) || std::isinf(expected)) CHECK((std::isnan(got) || got == expected));
          else CHECK(got == doctest::Approx(expected).epsilon(1e-12));
        }
  }
}

namespace {

// g times the derivatives by each operand, as the primitive states them.
template <opcode Code>
std::array<double, 2> slopes(double g, double a, double b) {
  std::array<double, 2> d{};
  const auto to = [&](int operand, double slope) { d[static_cast<std::size_t>(operand)] = slope; };
  using p = primitive<Code>;
  if constexpr (p::arity == 1) p::derivative(to, g, p::value(a), a);
  else p::derivative(to, g, p::value(a, b), a, b);
  return d;
}

}  // namespace

TEST_CASE("derivatives of the four operations, each by its own formula") {
  const double g = 0.75;
  for (double a : samples)
    for (double b : samples) {
      CAPTURE(a);
      CAPTURE(b);
      CHECK(slopes<opcode::add>(g, a, b) == std::array{g, g});
      CHECK(slopes<opcode::subtract>(g, a, b) == std::array{g, -g});
      CHECK(slopes<opcode::multiply>(g, a, b) == std::array{g * b, g * a});
      if (b == 0) continue;
      CHECK(slopes<opcode::divide>(g, a, b)[0] == doctest::Approx(g / b).epsilon(1e-14));
      CHECK(slopes<opcode::divide>(g, a, b)[1] == doctest::Approx(-g * a / (b * b)).epsilon(1e-14));
    }
}

TEST_CASE("edges") {
  CHECK(value_of(opcode::sigmoid, 1000, 0, 0) == 1);
  CHECK(value_of(opcode::sigmoid, -1000, 0, 0) == 0);
  CHECK(value_of(opcode::softplus, 1000, 0, 0) == 1000);
  CHECK(value_of(opcode::softplus, -1000, 0, 0) == 0);
  CHECK(value_of(opcode::tanh, infinity, 0, 0) == 1);
  CHECK(std::isnan(value_of(opcode::relu, std::nan(""), 0, 0)));
}

namespace {

// tanh(x) * 2 + y, as a backend gets it
struct fused {
  static constexpr map_body body = [] {
    map_body m;
    m.width = 1;
    m.code = {instruction{.code = opcode::input, .first = 0},
              instruction{.code = opcode::tanh, .a = 0},
              instruction{.code = opcode::constant, .number = 2},
              instruction{.code = opcode::multiply, .a = 1, .b = 2},
              instruction{.code = opcode::input, .first = 1},
              instruction{.code = opcode::add, .a = 3, .b = 4}};
    return m;
  }();
};

}  // namespace

TEST_CASE("a fused kernel's body is evaluated in order") {
  const double loaded[]{0.5, 3};
  double local[fused::body.code.size];
  evaluate<fused>(loaded, local);
  CHECK(local[5] == std::tanh(0.5) * 2 + 3);
}
