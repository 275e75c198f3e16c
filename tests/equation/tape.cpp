// The tape: equal instructions are merged, and constants are folded at compile time.
#include "support/equation.hpp"
#include "support/letters.hpp"
#include <tenon/equation/tape.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::test;

// --- common subexpressions ---------------------------------------------------------------------------------
constexpr program doubled = program_of({3}, [](auto x) {
  for (int k = 0; k < 40; ++k) x = x + x;
  return x;
});
static_assert(doubled.code.size == 41, "a value used twice at each of 40 levels is 40 sums, not 2^40");

constexpr program gates = program_of({3}, [](auto x) { return tanh(W<"", 3>(x)) * (1 - tanh(W<"", 3>(x))); });
static_assert(count(gates, opcode::matmul) == 1 && count(gates, opcode::tanh) == 1 && gates.code.size == 6);
static_assert(program_of({3, 3}, [](auto x, auto y) { return (x + y) * (y + x); }).code.size == 4,
              "a + b is b + a");
static_assert(program_of({3, 3}, [](auto x, auto y) { return (x - y) * (y - x); }).code.size == 5,
              "a - b is not b - a");
static_assert(count(program_of({3}, [](auto x) { return (x * 0.5 + 2) * (x * 0.5 - 2); }),
                    opcode::constant) == 2);

// --- folding -----------------------------------------------------------------------------------------------
template <class F, class G>
constexpr bool same(F f, G g) {
  return program_of({3, 3, 1}, [&](value x, value y, value one) { return f(x, y, one); }) ==
         program_of({3, 3, 1}, [&](value x, value y, value one) { return g(x, y, one); });
}
constexpr auto x_alone = [](auto x, auto, auto) { return x; };
static_assert(same([](auto x, auto, auto) { return x + 0; }, x_alone));
static_assert(same([](auto x, auto, auto) { return x - 0; }, x_alone));
static_assert(same([](auto x, auto, auto) { return 1 * x; }, x_alone));
static_assert(same([](auto x, auto, auto) { return x / 1; }, x_alone));
static_assert(same([](auto x, auto, auto) { return -(-x); }, x_alone));
static_assert(same([](auto x, auto y, auto) { return x + 0 * y; }, x_alone));
static_assert(same([](auto x, auto y, auto) { return x - 0 / y; }, x_alone));
static_assert(same([](auto x, auto y, auto) { return select(y * 0 + 1, x, y); }, x_alone));
static_assert(same([](auto x, auto y, auto) { return select(greater(0 * y, 1), y, x); }, x_alone));
static_assert(same([](auto x, auto, auto) { return slice<0, 3>(x); }, x_alone));
static_assert(same([](auto x, auto, auto) { return concat(slice<0, 1>(x), slice<1, 2>(x)); }, x_alone));
static_assert(same([](auto x, auto y, auto) { return slice<0, 3>(concat(x, y)); }, x_alone));
static_assert(same([](auto x, auto y, auto) { return slice<3, 3>(concat(y, x)); }, x_alone));
static_assert(same([](auto x, auto y, auto) { return slice<1, 2>(slice<1, 3>(concat(x, y))); },
                   [](auto x, auto y, auto) { return slice<2, 2>(concat(x, y)); }));
static_assert(same([](auto x, auto, auto) { return 0 - x; }, [](auto x, auto, auto) { return -x; }));
static_assert(same([](auto, auto, auto one) { return sum(one) * max(one); },
                   [](auto, auto, auto one) { return one * one; }));
static_assert(same([](auto x, auto, auto) { return x * 2 * (0.5 * size_of(x) - 0.5); },
                   [](auto x, auto, auto) { return x * 2; }));
static_assert(same([](auto x, auto, auto) { return sum(0 * x + 1) * x; },
                   [](auto x, auto, auto) { return 3 * x; }));

static_assert(same([](auto x, auto y, auto) { return x * greater(0 * y + 1, 0); }, x_alone));

// Folding keeps the width: 0 * x has the features of x.
static_assert(output_size(program_of({3}, [](auto x) { return 0 * x; })) == 3);
static_assert(output_size(program_of({3, 2}, [](auto x, auto y) { return concat(0 * x, y); })) == 5);
static_assert(output_size(program_of({3, 1}, [](auto x, auto one) { return one + 0 * x; })) == 3);
static_assert(output_size(program_of({3, 1}, [](auto x, auto one) { return select(0 * one + 1, one, x); })) ==
              3);

// The first line is found again, too.
constexpr bool finds_first_line = [] {
  tape t;
  const int two = t.constant(2);
  return t.constant(2) == two && t.written.code.size == 1;
}();
static_assert(finds_first_line);

// What an equation adds itself is one input for each kind and size.
static_assert(program_of({1}, [](auto token) {
                return concat(one_hot<4>(token), one_hot<3>(token), one_hot<4>(token));
              }).inputs == list<int, max_program_inputs>{1, 4, 3});

// --- along an axis -----------------------------------------------------------------------------------------
template <class F>
constexpr program along_time(F f) {
  return trace(sizes{3}, {}, {}, [&](const auto& x) { return ir::detail::as_list(f(x[0])); },
               {{domain::rows}, "time"})
      .equations;
}
static_assert(along_time([](auto x) { return shift<0, "time">(x); }).code.size == 1);
static_assert(count(along_time([](auto x) { return shift<1, "time">(x); }), opcode::shift) == 1);
static_assert(count(along_time([](auto x) { return sum<"time">(x); }), opcode::axis_sum) == 1);

// A sum of values of another sequence is one operation if each has one weight, not if each feature has its own.
struct of_one_weight {
  static constexpr auto at(auto q, auto m) { return sum<"source">(exp(dot(q, m)) * m); }
};
struct of_each_feature {
  static constexpr auto at(auto q, auto m) { return sum<"source">(exp(q + m) * m); }
};
template <class Equation>
constexpr program of_two =
    trace_at<Equation>(sizes{3, 3}, {{domain::rows, domain::inner}, "target", "source"}).equations;
static_assert(count(of_two<of_one_weight>, opcode::pair_sum) == 1 &&
              count(of_two<of_one_weight>, opcode::axis_sum) == 0);
static_assert(count(of_two<of_each_feature>, opcode::pair_sum) == 0 &&
              count(of_two<of_each_feature>, opcode::axis_sum) == 1);

TEST_CASE("a full list says so") {
  list<int, 2> two{1, 2};
  CHECK_THROWS(two.add(3));
  CHECK(two.find(2) == 1);
  CHECK(two.find(5) == -1);
}
