// Derivatives against finite differences: every primitive, every function of the language, random
// compositions, cells.
#include "support/check_equation.hpp"
#include "support/letters.hpp"
#include <tenon/equation/reverse.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>
#include <tenon/nn/cell/rnn.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

const sizes shapes_of_one[]{{1}, {2}, {7}};
const sizes shapes_of_two[]{{1, 1}, {3, 3}, {5, 1}, {1, 4}};

}  // namespace

TEST_CASE("functions of each element") {
  for (const sizes& s : shapes_of_one) {
    check_equation(s, [](auto x) { return -x; });
    check_equation(s, [](auto x) { return exp(x); });
    check_equation(s, [](auto x) { return log(x * x + 0.5); });
    check_equation(s, [](auto x) { return sqrt(x * x + 0.5); });
    check_equation(s, [](auto x) { return square(x); });
    check_equation(s, [](auto x) { return abs(x); });
    check_equation(s, [](auto x) { return sign(x) * x; });
    check_equation(s, [](auto x) { return sin(3 * x) + cos(x); });
    check_equation(s, [](auto x) { return sigmoid(3 * x); });
    check_equation(s, [](auto x) { return tanh(2 * x); });
    check_equation(s, [](auto x) { return relu(x); });
    check_equation(s, [](auto x) { return softplus(4 * x); });
    check_equation(s, [](auto x) { return erf(x); });
    check_equation(s, [](auto x) { return gelu(2 * x); });
    check_equation(s, [](auto x) { return identity(x); });
  }
}

namespace {

/// d(3 sum of f) at these numbers, by input.
template <class F>
std::vector<row> slopes(F f, const std::vector<row>& x) {
  sizes features;
  list<bool, max_program_inputs> wanted;
  std::vector<steps> given;
  for (const row& numbers : x) {
    features.add(static_cast<int>(numbers.size()));
    wanted.add(true);
    given.push_back({numbers});
  }
  const traced t = trace(features, {}, {}, [&](const auto& v) {
    if constexpr (ir::detail::arity_of<F>() == 1) return list<value, 8>{f(v[0])};
    else return list<value, 8>{f(v[0], v[1])};
  });
  const differentiated d = reverse(t.equations, wanted);
  given.push_back({row(static_cast<std::size_t>(d.joint.inputs[d.joint.inputs.size - 1]), 3.0)});
  const interpretation run = interpret(d.joint, given, {});
  std::vector<row> all;
  for (int o = d.outputs; o < d.joint.outputs.size; ++o) all.push_back(run.output(d.joint, o)[0]);
  return all;
}

}  // namespace

// Points where a finite difference is meaningless.
TEST_CASE("kinks and ties") {
  using rows = std::vector<row>;
  CHECK(slopes([](auto x) { return relu(x); }, {{-1, 0, 1}}) == rows{{0, 0, 3}});
  CHECK(slopes([](auto x) { return abs(x); }, {{-1, 0, 1}}) == rows{{-3, 0, 3}});
  CHECK(slopes([](auto x, auto y) { return max(x, y); }, {{1, 2, 2}, {2, 2, 1}}) ==
        rows{{0, 3, 3}, {3, 0, 0}});
  CHECK(slopes([](auto x, auto y) { return min(x, y); }, {{1, 2, 2}, {2, 2, 1}}) ==
        rows{{3, 3, 0}, {0, 0, 3}});
  CHECK(slopes([](auto x, auto y) { return select(x, y, 2 * y); }, {{-1, 0, 1}, {5, 5, 5}}) ==
        rows{{0, 0, 0}, {6, 6, 3}});
  CHECK(slopes([](auto x) { return max(x); }, {{4, 7, 7, 1}}) == rows{{0, 1.5, 1.5, 0}});
}

TEST_CASE("functions of two and three values, equal and broadcast") {
  for (const sizes& s : shapes_of_two) {
    check_equation(s, [](auto x, auto y) { return x + y; });
    check_equation(s, [](auto x, auto y) { return x - y; });
    check_equation(s, [](auto x, auto y) { return x * y; });
    check_equation(s, [](auto x, auto y) { return x / (y * y + 1); });
    check_equation(s, [](auto x, auto y) { return max(x, y); });
    check_equation(s, [](auto x, auto y) { return min(x, y); });
    check_equation(s, [](auto x, auto y) { return select(greater(x, y), x * x, y); });
    check_equation(s, [](auto x, auto y) { return select(x, y, 2); });
    check_equation(s, [](auto x, auto y) { return select(equal(x, y), x, y * x); });
    check_equation(s, [](auto x, auto y) { return (1 - x) * y + x * 2 / (3 - y); });
    check_equation(s, [](auto x, auto y) { return concat(x, y, x * 3); });
    check_equation(s, [](auto x, auto y) { return sum(x * y) * x; });
    check_equation(s, [](auto x, auto y) { return dot(x, y) + 0 * x; });
  }
  check_equation(sizes{1, 3, 3}, [](auto c, auto x, auto y) { return select(c, x, y); });
  check_equation(sizes{3, 1, 3}, [](auto c, auto x, auto y) { return select(c, x, y); });
  check_equation(sizes{3, 3, 1}, [](auto c, auto x, auto y) { return select(c, x, y); });
}

TEST_CASE("over the features") {
  for (const sizes& s : shapes_of_one) {
    check_equation(s, [](auto x) { return sum(x * x); });
    check_equation(s, [](auto x) { return mean(x * x) + x; });
    check_equation(s, [](auto x) { return max(x) * x; });
    check_equation(s, [](auto x) { return softmax(x); });
    check_equation(s, [](auto x) { return log_softmax(x * 3); });
    check_equation(s, [](auto x) { return log_sum_exp(x * 3) * x; });
    check_equation(s, [](auto x) { return (x - mean(x)) / sqrt(mean(square(x - mean(x))) + 0.1); });
  }
}

TEST_CASE("structure") {
  check_equation(sizes{5}, [](auto x) { return slice<1, 3>(x) * slice<2, 3>(x); });
  check_equation(sizes{5}, [](auto x) { return slice<0, 1>(x) * slice<4, 1>(x); });
  check_equation(sizes{6}, [](auto x) { return slice<1, 2>(slice<2, 4>(x)); });
  check_equation(sizes{6},
                 [](auto x) { return slice<0, 3>(tanh(x)) * slice<3, 3>(tanh(x)) + slice<1, 3>(x); });
  check_equation(sizes{2, 3}, [](auto x, auto y) { return slice<1, 3>(concat(x, y)); });
  check_equation(sizes{2, 3}, [](auto x, auto y) { return tanh(concat(x, exp(y), x)); });
  check_equation(sizes{2, 3},
                 [](auto x, auto y) { return slice<1, 1>(concat(x, y)) * slice<2, 2>(concat(x, y)); });
  check_equation(sizes{4}, [](auto x) { return concat(slice<2, 2>(x), slice<0, 2>(x)); });
  check_equation(sizes{4}, [](auto x) { return concat(slice<0, 2>(x), slice<2, 2>(x)) * x; });
}

TEST_CASE("learned symbols") {
  check_equation(sizes{3}, [](auto x) { return W<"", 2>(x) + b<>; });
  check_equation(sizes{3}, [](auto x) { return W<"", 3>(W<"", 3>(x)); });
  check_equation(sizes{3}, [](auto x) { return tanh(W<"a", 1>(x)) * W<"c", 5>(x) + W<"d", 5>(x * x); });
  check_equation(sizes{4}, [](auto x) { return x * b<"scale"> + b<"shift">; });
  check_equation(sizes{4}, [](auto x) { return x * (b<"i"> + b<"j">)+(1 - b<"z">)+exp(b<"i">); });
  check_equation(sizes{4, 2}, [](auto x, auto y) { return tanh(W<"", 3>(x) + W<"y">(y) + b<> / 2); });
  check_equation(sizes{4}, [](auto x) { return W<"", 3>(x) * W<"", 3>(x * 2); });
}

TEST_CASE("values that no output varies with") {
  check_equation(sizes{3, 2}, [](auto x, auto) { return tanh(x); });
  check_equation(sizes{3, 3}, [](auto x, auto y) { return stop_gradient(0 * x) + y; });
  check_equation(sizes{3, 3}, [](auto x, auto y) { return concat(0 * x, y); });
  check_equation(sizes{3}, [](auto x) { return sum(x / x) * x; });
  check_equation(sizes{3}, [](auto x) { return sum(0 * x + 1) * x; });
}

TEST_CASE("an output that is a saved value's operand, an input or another output") {
  const auto in_the_way = [](auto x, auto y) {
    const auto far = tanh(exp(x));
    return list<value, 8>{far, (far + 1) * y, x, far};
  };
  check_equation({3, 3}, in_the_way);
  check_equation({1, 4}, in_the_way);
}

TEST_CASE("inputs that are the same at each step") {
  const auto additive = [](auto s, auto h) { return matrix<"v", 1>(tanh(W<"", 3>(s) + U<"", 3>(h) + b<>)); };
  const auto mixed = [](auto s, auto h) { return tanh(s) * h + exp(b<>) * W<"", 4>(s) * h + b<>; };
  const auto of_parameters = [](auto s, auto h) { return h * s + tanh(exp(b<>)) * s; };
  const auto both = [](auto s, auto h) { return list<value, 8>{tanh(W<"", 4>(s)), softmax(h) * s, s}; };
  check_equation({5, 2}, additive, {true, false});
  check_equation({5, 2}, additive, {false, true});
  check_equation({5, 2}, additive, {true, true});
  check_equation({4, 4}, mixed, {true, false});
  check_equation({1, 4}, mixed, {true, false});
  check_equation({1, 4}, of_parameters, {true, false});
  check_equation({4, 4}, both, {true, false});
}

namespace {

// Jozefowicz et al. 2015.
struct mut1 : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = sigmoid(W<"z">(x) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    auto n = tanh(U<"h">(r * h) + tanh(W<"h">(x)) + b<"h">);
    return next(n * z + h * (1 - z));
  }
};

const std::pair<int, int> cell_shapes[]{{1, 1}, {3, 1}, {1, 4}, {5, 3}, {2, 7}, {4, 4}};

}  // namespace

TEST_CASE_TEMPLATE("cells", C, nn::cells::lstm, nn::cells::gru, nn::cells::gru_cho, nn::cells::rnn_tanh,
                   nn::cells::rnn_relu) {
  std::uint64_t seed = 1;
  for (auto [input, hidden] : cell_shapes) check_step<C>(input, hidden, seed++);
}
TEST_CASE("MUT1, whose input has the size of the state where it is not multiplied") {
  std::uint64_t seed = 1;
  for (auto [input, hidden] : cell_shapes) check_step<mut1>(input, hidden, seed++);
}

namespace {

/// A program of random instructions over inputs of sizes n, 1 and m, and symbols.
program random_program(generator& random) {
  const int n = 2 + random.below(4), m = 1 + random.below(4);
  const traced t = trace(sizes{n, 1, m}, {}, {}, [&](const auto& x) {
    list<value, 64> known{x[0], x[1], x[2]};
    tape& on = *x[0].on;
    const auto pick = [&] { return known[random.below(known.size)]; };
    for (int k = 0; k < 25; ++k) {
      const value a = pick(), c = pick();
      const bool fit = a.size() == c.size() || a.size() == 1 || c.size() == 1;
      const int first = random.below(a.size());
      switch (random.below(14)) {
        case 0:
          if (fit) known.add(a + c);
          break;
        case 1:
          if (fit) known.add(a - c);
          break;
        case 2:
          if (fit) known.add(a * c);
          break;
        case 3:
          if (fit) known.add(a / (1 + square(c)));
          break;
        case 4:
          if (fit) known.add(max(a, c));
          break;
        case 5:
          if (fit) known.add(select(greater(a, c), c, a));
          break;
        case 6:
          known.add(tanh(a));
          break;
        case 7:
          known.add(sum(a));
          break;
        case 8:
          known.add(softmax(a));
          break;
        case 9:
          if (a.size() + c.size() < 9) known.add(concat(a, c));
          break;
        case 10:
          known.add({&on, on.slice(a.index, first, 1 + random.below(a.size() - first))});
          break;
        case 11: {
          const int s = on.find_symbol(
              {.letter = "W", .gate = label().append(a.index), .rows = n, .columns = a.size()});
          known.add(
              {&on,
               on.emit(
                   {.code = opcode::matmul, .a = short(a.index), .first = short(s), .count = 1, .size = n})});
          break;
        }
        case 12: {
          const int s = on.find_symbol({.letter = "b", .gate = label().append(a.size()), .rows = a.size()});
          known.add({&on, on.emit({.code = opcode::vector, .first = short(s), .size = a.size()})});
          break;
        }
        default:
          known.add(0 * a + random.below(2));
          break;
      }
    }
    list<value, 8> outputs{known.last(), pick(), pick()};
    return outputs;
  });
  INFO(std::string(explain(t.wrong).view()));
  REQUIRE(!t.wrong);
  return t.equations;
}

}  // namespace

TEST_CASE("random programs") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    generator random(seed);
    program p = random_program(random);
    check_equation_gradient(p, seed, 2);
    p.varies = varying({seed % 2 == 0, seed % 3 == 0, seed % 5 < 2});
    check_equation_gradient(p, seed, 2);
  }
}
