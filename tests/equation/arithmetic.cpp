// The functions of an equation, each against its formula from the literature in long double; values near the limits of the number types,
// symbols in formulas, and what is refused.
#include "support/equation.hpp"
#include "support/interpret.hpp"
#include "support/letters.hpp"
#include <tenon/equation/arithmetic.hpp>
#include <tenon/equation/language.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace tenon::test {

using exact = long double;
using numbers = std::vector<exact>;

/// The first result of f at x, by the interpreter.
template <class F>
row evaluated(F f, const std::vector<row>& x) {
  sizes features;
  std::vector<steps> inputs;
  for (const row& r : x) {
    features.add(static_cast<int>(r.size()));
    inputs.push_back({r});
  }
  const program p = program_of(features, f);
  for (int own = p.inputs.size - p.own.size; own < p.inputs.size;
       ++own) {  // the numbers 0, 1, .. that the equation itself requests
    inputs.push_back({{}});
    for (int k = 0; k < p.inputs[own]; ++k) inputs.back()[0].push_back(k);
  }
  return interpret(p, inputs, {}).output(p, 0)[0];
}
void check_near(const row& got, const numbers& expected, exact tolerance = 1e-13L) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    INFO(k);
    CHECK(std::abs(static_cast<exact>(got[k]) - expected[k]) <= tolerance * (1 + std::abs(expected[k])));
  }
}
const std::vector<row> rows{{1, 2, 5},        {-3, 0.5, 0.25, 4}, {7, 7, -7}, {0, 0},
                            {-1e-3, 2e-3, 0}, {600, -600, 599},   {42}};
exact sum_of(const row& x, auto f) {
  exact sum = 0;
  for (double one : x) sum += static_cast<exact>(f(static_cast<exact>(one)));
  return sum;
}

TEST_CASE("functions of each element") {
  for (const row& x : rows) {
    numbers normal, relus, squares;
    for (double one : x) {
      const exact a = static_cast<exact>(one);
      normal.push_back(a / 2 * std::erfc(-a / std::numbers::sqrt2_v<exact>));  // a Phi(a)
      relus.push_back(a > 0 ? a : 0);
      squares.push_back(a * a);
    }
    check_near(evaluated([](auto a) { return gelu(a); }, {x}), normal);
    check_near(evaluated([](auto a) { return relu(a); }, {x}), relus);
    check_near(evaluated([](auto a) { return square(a); }, {x}), squares);
    check_near(evaluated([](auto a) { return identity(a) - stop_gradient(a); }, {x}), numbers(x.size()));
  }
}

TEST_CASE("softmax and what follows from it") {
  for (const row& x : rows) {
    const exact all = sum_of(x, [](exact a) { return std::exp(a); });
    numbers shares, logs;
    for (double one : x) {
      shares.push_back(std::exp(static_cast<exact>(one)) / all);
      logs.push_back(static_cast<exact>(one) - std::log(all));
    }
    check_near(evaluated([](auto a) { return softmax(a); }, {x}), shares);
    check_near(evaluated([](auto a) { return log_softmax(a); }, {x}), logs);
    check_near(evaluated([](auto a) { return log_sum_exp(a); }, {x}), {std::log(all)});
  }
  // Where exp itself overflows: a shift changes nothing.
  check_near(evaluated([](auto a) { return softmax(a); }, {row{2000, 2001}}),
             {1 / (1 + std::exp(1.0L)), 1 / (1 + std::exp(-1.0L))});
  check_near(evaluated([](auto a) { return log_sum_exp(a); }, {row{-2000, -2000}}), {-2000 + std::log(2.0L)});
}

TEST_CASE("sums, means and the variance") {
  for (const row& x : rows) {
    const exact n = static_cast<exact>(x.size()), mean_of = sum_of(x, [](exact a) { return a; }) / n;
    const exact variance = sum_of(x, [&](exact a) { return (a - mean_of) * (a - mean_of); }) / n;
    numbers normal;
    for (double one : x) normal.push_back((static_cast<exact>(one) - mean_of) / std::sqrt(variance + 0.125L));
    check_near(evaluated([](auto a) { return mean(a); }, {x}), {mean_of});
    check_near(evaluated([](auto a) { return normalize(a, 0.125); }, {x}), normal);
    check_near(evaluated([](auto a) { return size_of(a); }, {x}), {n});
    check_near(evaluated([](auto a, auto b) { return dot(a, b); }, {x, x}),
               {sum_of(x, [](exact a) { return a * a; })});
  }
}

TEST_CASE("which feature is the largest, and the feature of a token") {
  for (const row& x : rows) {
    const auto first = std::max_element(x.begin(), x.end()) - x.begin();  // of equal ones
    CHECK(evaluated([](auto a) { return argmax(a); }, {x}) == row{double(first)});
    for (int token = -1; token < int(x.size()); ++token) {
      row ones(x.size());
      if (token >= 0) ones[std::size_t(token)] = 1;
      CHECK(evaluated([](auto a, auto t) { return one_hot(t, a); }, {x, {double(token)}}) == ones);
      CHECK(evaluated([](auto a, auto t) { return pick(a, t); }, {x, {double(token)}}) ==
            row{token < 0 ? 0 : x[std::size_t(token)]});
    }
  }
  CHECK(evaluated([](auto t) { return one_hot<4>(t); }, {row{2}}) == row{0, 0, 1, 0});
}

TEST_CASE("parts and values side by side") {
  const row x{1, 2, 3, 4}, y{5}, z{6, 7};
  CHECK(evaluated([](auto a, auto b, auto c) { return concat(a, b, c); }, {x, y, z}) ==
        row{1, 2, 3, 4, 5, 6, 7});
  CHECK(evaluated([](auto a, auto b, auto c) { return slice<3, 3>(concat(a, b, c)); }, {x, y, z}) ==
        row{4, 5, 6});
  CHECK(evaluated([](auto a, auto b) { return a * b + 1; }, {x, y}) ==
        row{6, 11, 16, 21});  // one number for all
  CHECK(evaluated([](auto a) { return max(a, 3) - min(a, 2); }, {x}) == row{2, 1, 1, 2});
  CHECK(evaluated([](auto a) { return select(greater(a, 2), a, -a); }, {x}) == row{-1, -2, 3, 4});
}

TEST_CASE("operands are written from left to right, and an assignment is the sum") {
  CHECK(evaluated([](auto a, auto b) { return a - b; }, {row{5}, row{3}}) == row{2});
  CHECK(evaluated([](auto a) { return 1 - a / 2; }, {row{5}}) == row{-1.5});
  const auto in_turn = [](auto a) {
    auto r = a;
    r += 3;
    r *= a;
    r -= 1;
    r /= 2;
    return r;
  };
  CHECK(evaluated(in_turn, {row{5}}) == row{19.5});
}

TEST_CASE("one with a probability: where the noise of that share is 0") {
  const auto at = [](auto f, const row& noise) {
    const program p = program_of({3}, f);
    REQUIRE(p.inputs.size == 2);
    REQUIRE(p.own.size == 1);
    CHECK(p.own[0].kind == own_input::noise);
    steps x(noise.size(), row{7, 7, 7}), drawn;
    for (double one : noise) drawn.push_back({one});
    row got;
    const interpretation run = interpret(p, {x, drawn}, {});
    for (const row& y : run.output(p, 0)) got.push_back(y[0]);
    return got;
  };
  // In training 0 or 1 / (1 - 0.25), outside of training 1.
  CHECK(at([](auto a) { return bernoulli<0.25>(a); }, {0, 4.0 / 3, 0, 1}) == row{1, 0, 1, 0});
  CHECK(at([](auto a) { return bernoulli<1>(a); }, {0, 1}) == row{1, 0});
  CHECK(program_of({3}, [](auto a) { return bernoulli<0.25>(a); }).own[0].share == 0.25);
  const auto of_sequence = [](int which) {
    const auto results = [&](const auto& x) { return list<value, 8>{bernoulli<0.5>(x[which]) * x[0]}; };
    return trace(sizes{3, 3, 3}, {}, {}, results,
                 {{domain::rows, domain::inner, domain::batch}, "time", "source"});
  };
  CHECK(of_sequence(0).equations.own[0].kind == own_input::noise);
  CHECK(of_sequence(2).equations.own[0].kind == own_input::noise_of_sequence);
  CHECK(of_sequence(1).wrong.rule.view() ==
        "bernoulli<probability>(x) needs a value of the step, got one of another sequence");
}

TEST_CASE("what is refused") {
  const auto rule = [](auto f) { return std::string(read({3}, f).wrong.rule.view()); };
  CHECK(rule([](auto a) {
          return slice<-1, 2>(a);
        }).starts_with("slice<first, size> needs a first of at least 0"));
  CHECK(rule([](auto a) { return slice<1>(a); }) == "slice<1>(x) does not say how many features it takes");
  CHECK(rule([](auto a) { return slice<2, 2>(a); }) != "");
  CHECK(rule([](auto a) { return one_hot<0>(a); }) == "one_hot<size>(token) needs a positive size");
  CHECK(rule([](auto a) { return bernoulli<2>(a) * a; }) ==
        "bernoulli<probability>(x) needs a probability from 0 to 1");
  CHECK(rule([](auto a) { return b<"bias">(a); }).find("is a vector, and takes no value") !=
        std::string::npos);
  CHECK(rule([](auto a) { return a + 1; }) == "");
}

}  // namespace tenon::test
