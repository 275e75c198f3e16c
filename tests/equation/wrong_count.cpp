// Functions of equations called with a wrong number of values: the message of each, and that right calls still work.
#include <tenon/equation/trace.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace tenon;
using namespace tenon::ir;

namespace {

// The message for an equation over two values of three features each.
template <class F>
constexpr explanation said_of(F f) {
  const traced t = trace(sizes{3, 3}, {}, {}, [&](const auto& x) {
    list<value, max_sources> results;
    results.add(f(x[0], x[1]));
    return results;
  });
  return explain(t.wrong);
}
template <class F>
constexpr bool is_right(F f) {
  return said_of(f).empty();
}
std::string words(const explanation& said) { return {said.view().data(), said.view().size()}; }

}  // namespace

TEST_CASE("each function of one value refuses two") {
#define CHECK_OF_TWO(function)                                                     \
  static_assert(is_right([](auto x, auto) { return function(x); }));               \
  CHECK(words(said_of([](auto x, auto y) { return function(x, y); })) == #function \
        " takes 1 value, got 2; write one: " #function "(a + b), " #function "(concat(a, b))")
  CHECK_OF_TWO(exp);
  CHECK_OF_TWO(log);
  CHECK_OF_TWO(sqrt);
  CHECK_OF_TWO(abs);
  CHECK_OF_TWO(sign);
  CHECK_OF_TWO(square);
  CHECK_OF_TWO(sin);
  CHECK_OF_TWO(cos);
  CHECK_OF_TWO(sigmoid);
  CHECK_OF_TWO(tanh);
  CHECK_OF_TWO(relu);
  CHECK_OF_TWO(softplus);
  CHECK_OF_TWO(erf);
  CHECK_OF_TWO(gelu);
  CHECK_OF_TWO(stop_gradient);
#undef CHECK_OF_TWO
}

TEST_CASE("functions over the features refuse the number of a dimension") {
#define CHECK_DIMENSION(function)                                                             \
  static_assert(is_right([](auto x, auto) { return function(x); }));                          \
  CHECK(words(said_of([](auto x, auto) { return function(x, -1); })) == #function             \
        " takes 1 value, got 2; it goes over the features; along a sequence write " #function \
        "<\"time\">(x)")
  CHECK_DIMENSION(sum);
  CHECK_DIMENSION(mean);
  CHECK_DIMENSION(softmax);
  CHECK_DIMENSION(log_softmax);
#undef CHECK_DIMENSION
  static_assert(is_right([](auto x, auto) { return argmax(x); }));
  CHECK(words(said_of([](auto x, auto) { return argmax(x, 1); })) ==
        "argmax takes 1 value, got 2; it goes over the features: argmax(x)");
}

TEST_CASE("functions of two values refuse one and three") {
#define CHECK_PAIR(function)                                                          \
  static_assert(is_right([](auto x, auto y) { return function(x, y); }));             \
  CHECK(words(said_of([](auto x, auto y) { return function(x, y, 2); })) == #function \
        " takes 2 values, got 3; write " #function "(a, b)")
  CHECK_PAIR(max);
  CHECK_PAIR(min);
  CHECK_PAIR(greater);
  CHECK_PAIR(equal);
  CHECK_PAIR(dot);
#undef CHECK_PAIR
  static_assert(is_right([](auto x, auto) { return max(x); }));  // over the features
  CHECK(words(said_of([](auto x, auto) { return dot(x); })) == "dot takes 2 values, got 1; write dot(a, b)");
}

TEST_CASE("tokens and choices") {
  static_assert(is_right([](auto x, auto y) { return one_hot(sum(x), y); }));
  static_assert(is_right([](auto x, auto) { return one_hot<4>(sum(x)); }));
  static_assert(is_right([](auto x, auto y) { return pick(x, sum(y)); }));
  static_assert(is_right([](auto x, auto y) { return select(greater(x, 0), x, y); }));
  CHECK(words(said_of([](auto x, auto) { return one_hot(x); })) ==
        "one_hot takes 2 values, got 1; write one_hot<10>(token), or one_hot(token, like)");
  CHECK(words(said_of([](auto x, auto) { return pick(x); })) ==
        "pick takes 2 values, got 1; write pick(a, token)");
  CHECK(words(said_of([](auto x, auto y) { return select(greater(x, 0), y); })) ==
        "select takes 3 values, got 2; write select(condition, yes, no)");
}
