// The language: the meaning of each function, and that formulas of symbols and numbers wait for a value.
#include "support/check_equation.hpp"
#include "support/equation.hpp"
#include "support/letters.hpp"
#include <tenon/equation/language.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

// Formulas of only symbols and numbers have no tape; they are recorded when they are combined with a value.
static_assert(Term<decltype(b<"i"> + b<"j">)> && Term<decltype(1 - b<"z">)> &&
              Term<decltype(exp(-b<"z">) / 2)>);
static_assert(!Term<value> && !Term<double> && Operand<value> && Operand<int> && Operand<decltype(b<>)>);
static_assert(!Operands<int, double>, "numbers stay numbers");
static_assert(count(program_of({3}, [](auto x) { return x * (1 - b<"z">); }), opcode::subtract) == 1);
static_assert(program_of({3}, [](auto x) { return x * (1 - b<"z">)+(1 - b<"z">); }).code.size == 6,
              "written once");
static_assert(count(program_of({3}, [](auto x) { return (b<"i"> + b<"j">)*x + (b<"j"> + b<"i">); }),
                    opcode::add) == 2);

// Dropout before products: all products of a size lose the same features, however many they are.
constexpr int own_numbers = [] {
  const traced t = trace(sizes{3, 5}, {}, {}, [](const auto& x) {
    x[0].on->drops.of_input = 0.5;
    value all = W<"a", 2>(x[0]);
    for (int k = 0; k < 2 * max_sources; ++k) all = all + W<"a", 2>(x[0]);
    all = all + W<"c", 2>(x[1]);
    return list<value, 8>{all + W<"d", 2>(x[1])};
  });
  return t.wrong ? -1 : t.equations.own.size;
}();
static_assert(own_numbers == 2);

/// f at x, by the interpreter.
template <class F>
row evaluated(F f, const std::vector<row>& x, const std::vector<row>& symbols = {}) {
  sizes features;
  std::vector<steps> inputs;
  for (const row& r : x) {
    features.add(static_cast<int>(r.size()));
    inputs.push_back({r});
  }
  const program p = program_of(features, f);
  return interpret(p, inputs, symbols).output(p, 0)[0];
}

}  // namespace

TEST_CASE("functions over the features") {
  const row x{1, 2, 5};
  CHECK(evaluated([](auto a) { return sum(a); }, {x}) == row{8});
  CHECK(evaluated([](auto a) { return mean(a) * 3; }, {x}) == row{8});
  CHECK(evaluated([](auto a) { return max(a); }, {x}) == row{5});
  CHECK(evaluated([](auto a) { return size_of(a); }, {x}) == row{3});
  CHECK(evaluated([](auto a, auto c) { return dot(a, c); }, {x, {3, 2, 1}}) == row{12});
  const row p = evaluated([](auto a) { return softmax(a); }, {{1000, 1001}});
  check_close({0.2689414213699951, 0.7310585786300049}, p, "softmax of large numbers");
  check_close({-1.3132616875182228, -0.3132616875182228},
              evaluated([](auto a) { return log_softmax(a); }, {{1000, 1001}}), "log_softmax");
  check_close({1001.3132616875182228}, evaluated([](auto a) { return log_sum_exp(a); }, {{1000, 1001}}),
              "log_sum_exp");
}

TEST_CASE("functions of each element") {
  CHECK(evaluated([](auto a) { return relu(a); }, {{-1, 0, 2}}) == row{0, 0, 2});
  CHECK(evaluated([](auto a) { return sign(a); }, {{-3, 0, 2}}) == row{-1, 0, 1});
  CHECK(evaluated([](auto a) { return abs(a); }, {{-3, 0, 2}}) == row{3, 0, 2});
  CHECK(evaluated([](auto a) { return square(a) + sqrt(a) - a; }, {{4}}) == row{14});
  CHECK(evaluated([](auto a, auto c) { return min(a, c) + 10 * max(a, 2); }, {{1, 3}, {2, 2}}) ==
        row{21, 32});
  CHECK(evaluated([](auto a, auto c) { return select(greater(a, c), a, 0); }, {{1, 3}, {2, 2}}) == row{0, 3});
  CHECK(evaluated([](auto a, auto c) { return equal(a, c); }, {{1, 2}, {2, 2}}) == row{0, 1});
  CHECK(evaluated([](auto a) { return stop_gradient(identity(a)); }, {{7}}) == row{7});
  check_close({0, 0.8413447460685429, -0.15865525393145707},
              evaluated([](auto a) { return gelu(a); }, {{0, 1, -1}}), "gelu");
  check_close({std::log(2.0), 5.006715348489118}, evaluated([](auto a) { return softplus(a); }, {{0, 5}}),
              "softplus");
  check_close({0, 1, -1}, evaluated([](auto a) { return sin(a * (std::numbers::pi / 2)); }, {{0, 1, 3}}),
              "sin");
  check_close({1, 0, -1}, evaluated([](auto a) { return cos(a * (std::numbers::pi / 2)); }, {{0, 1, 2}}),
              "cos");
  check_close({0.5, 0.7310585786300049}, evaluated([](auto a) { return sigmoid(a); }, {{0, 1}}), "sigmoid");
}

TEST_CASE("structure and symbols") {
  CHECK(evaluated([](auto a, auto c) { return concat(a, c, a); }, {{1, 2}, {3}}) == row{1, 2, 3, 1, 2});
  CHECK(evaluated([](auto a) { return slice<1, 2>(a); }, {{1, 2, 3}}) == row{2, 3});
  CHECK(evaluated([](auto a) { return W<"", 2>(a); }, {{1, 2, 3}}, {{1, 0, 0, 0, 1, 1}}) == row{1, 5});
  CHECK(evaluated([](auto a) { return a * (1 - b<>) / 2; }, {{2, 4}}, {{0, 3}}) == row{1, -4});
}
