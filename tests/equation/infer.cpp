// Size inference: sizes that the equation leaves open follow from the known ones; contradictions are errors.
#include "support/equation.hpp"
#include "support/letters.hpp"
#include <tenon/equation/infer.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::test;

// --- what is inferred --------------------------------------------------------------------------------------
constexpr bool has_symbol(const program& p, std::string_view letter, std::string_view gate, int rows,
                          int columns) {
  for (const symbol& s : p.symbols)
    if (s.letter.view() == letter && s.gate.view() == gate) return s.rows == rows && s.columns == columns;
  return false;
}

// Rows from the operand beside the product, from either side, through functions, and from the requested size of the
// result.
static_assert(has_symbol(program_of({3, 5}, [](auto x, auto y) { return y + W<>(x); }), "W", "", 5, 3));
static_assert(has_symbol(program_of({3, 5}, [](auto x, auto y) { return tanh(W<>(x)) * y; }), "W", "", 5, 3));
static_assert(has_symbol(program_of({3, 5}, [](auto x, auto y) { return sigmoid(W<>(x) + b<>) * y; }), "b",
                         "", 5, 0));
static_assert(has_symbol(read({3}, [](auto x) { return tanh(W<>(x) + b<>); }, {4}).equations, "b", "", 4, 0));
static_assert(has_symbol(program_of({3}, [](auto x) { return W<"out", 2>(relu(W<"in", 7>(x) + b<>)); }), "W",
                         "out", 2, 7));
// A concat gives the size that is missing.
static_assert(has_symbol(read({3}, [](auto x) { return concat(x, W<>(x)); }, {8}).equations, "W", "", 5, 3));
static_assert(has_symbol(read({3}, [](auto x) { return concat(W<>(x), x); }, {8}).equations, "W", "", 5, 3));
static_assert(has_symbol(read({1}, [](auto x) { return concat(x, W<>(x)); }, {8}).equations, "W", "", 7, 1));
static_assert(has_symbol(read({1}, [](auto x) { return concat(W<>(x), x); }, {8}).equations, "W", "", 7, 1));
// A function of one number is one number, also if a wider value is multiplied by it.
static_assert(output_size(program_of({3, 4},
                                     [](auto x, auto y) {
                                       const auto one = tanh(W<"z">(x)), same_rows = W<"z", 1>(2 * x);
                                       return list<value, 8>{y * one, one, same_rows};
                                     }),
                          1) == 1);
// Several operands are open and one must be as wide as the result: the first.
static_assert(has_symbol(read({3}, [](auto x) { return W<"a">(x) * W<"c">(x); }, {4}).equations, "W", "a", 4,
                         3));
static_assert(has_symbol(read({3}, [](auto x) { return W<"a">(x) * W<"c">(x); }, {4}).equations, "W", "c", 4,
                         3));
// A product used at two places has the rows that one of the places specifies.
static_assert(output_size(program_of({3}, [](auto x) { return concat(W<>(x), W<"", 2>(x)); })) == 4);

// Broadcast: size 1 goes with any size, and the narrower result is never assumed.
static_assert(output_size(program_of({1, 4}, [](auto x, auto y) { return x * y; })) == 4);
static_assert(output_size(program_of({4}, [](auto x) { return x - sum(x); })) == 4);
static_assert(output_size(program_of({4}, [](auto x) { return sum(x) + 1; })) == 1);
static_assert(output_size(read({1}, [](auto x) { return x; }, {6}).equations) == 6,
              "a result of size 1 is widened");
static_assert(output_size(program_of({4}, [](auto x) { return matrix<"v", 1>(x) * x; })) == 4);

// Cells: only from the hidden size, down to one unit and one input.
static_assert(has_symbol(trace_step<nn::cells::lstm>(5, 3).equations, "U", "o", 3, 3));
static_assert(has_symbol(trace_step<nn::cells::lstm>(5, 3).equations, "W", "o", 3, 5));
static_assert(has_symbol(trace_step<nn::cells::gru_cho>(2, 1).equations, "U", "n", 1, 1),
              "r * h with one hidden unit");
static_assert(has_symbol(trace_step<nn::cells::gru_cho>(1, 6).equations, "b", "n", 6, 0));

// --- what is wrong -----------------------------------------------------------------------------------------
template <class F>
constexpr bool wrong(const sizes& features, F f, std::string_view text, const sizes& wanted = {}) {
  return says(read(features, f, wanted).wrong, text);
}
static_assert(wrong(
    {3, 4}, [](auto x, auto y) { return x + y; },
    "elementwise operands differ: 4 features, got 3 from 'input 0'; make both the same size, or one of size "
    "1"));
static_assert(wrong(
    {3, 4}, [](auto x, auto y) { return W<>(x) + W<>(y); },
    "the size of 'W' is open; write the rows down, W<\"gate\", rows>(x), or use it beside a known size"));
static_assert(wrong(
    {3, 4}, [](auto x, auto y) { return W<"z", 2>(x) + W<"z", 2>(y); },
    "a matrix is used with two input sizes: 3 features, got 4 from 'W<\"z\">'; a symbol has one shape: "
    "give the second use a name of its own"));
static_assert(wrong(
    {3}, [](auto x) { return concat(W<"z", 2>(x), W<"z", 5>(x)); },
    "a matrix is used with two output sizes: 2 features, got 5 from 'W<\"z\">'; a symbol has one shape: "
    "give the second use a name of its own"));
static_assert(wrong(
    {3, 3}, [](auto x, auto y) { return concat(W<"z", 2>(x), W<"z", 5>(y)); },
    "a matrix is used with two output sizes: 2 features, got 5 from 'W<\"z\">'; a symbol has one shape: "
    "give the second use a name of its own"));
constexpr auto one_vector_twice = [](auto x, auto y) {
  const auto first = x + b<>;  // in its own statement: the order of a call's arguments is the compiler's
  return concat(first, y + b<>);
};
static_assert(wrong({3, 4}, one_vector_twice,
                    "a vector is used with two sizes: 3 features, got 4 from 'b'; a symbol has "
                    "one shape: give the second use a name of its own"));
static_assert(wrong(
    {3}, [](auto x) { return matrix<"w", 3>(x) + vector<"w">; },
    "one name for a matrix and a vector: 'w'; give one of them a name of its own"));
static_assert(wrong(
    {3}, [](auto x) { return vector<"w"> + matrix<"w", 3>(x); },
    "one name for a matrix and a vector: 'w'; give one of them a name of its own"));
static_assert(wrong(
    {3}, [](auto x) { return slice<2, 2>(x); },
    "a slice reaches past the end: 4 features, got 3 from 'input 0'; first + size is at most the value's "
    "size"));
static_assert(wrong({3}, [](auto x) { return tanh(x); },
                    "the equation's result must have 5 features, got 3 from 'tanh(...)'; a result has the "
                    "size it is used with",
                    {5}));
static_assert(wrong(
                  {3}, [](auto x) { return x + b<>; }, "") &&
              read({3}, [](auto x) { return x + b<>; }).wrong == problem{});

TEST_CASE("checked while it compiles") {}
