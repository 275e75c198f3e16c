// Weighted sums are recognised where a softmax weighs values in memory, and the program still computes the same.
#include "support/check_equation.hpp"
#include <tenon/equation/axes.hpp>
#include <tenon/equation/trace.hpp>
#include <tenon/lowering/recognise.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

// The program of an equation on a sequence of scores of size `Scores` and one of values of three features.
template <int Scores, class F>
constexpr program program_of(F f) {
  return trace(sizes{Scores, 3}, {}, {},
               [&](const auto& x) {
                 list<label, max_sources> names;
                 return ir::detail::result_of<F, 2>(f, x, names);
               },
               {{domain::rows, domain::rows}, "time"})
      .equations;
}
constexpr int count(const program& p, opcode code) {
  int n = 0;
  for (const instruction& i : p.code) n += i.code == code;
  return n;
}

constexpr program weighted =
    program_of<1>([](auto s, auto h) { return sum(softmax(s, along(h)) * h, along(h)); });
constexpr program turned =
    program_of<1>([](auto s, auto h) { return sum(h * softmax(s, along(h)), along(h)); });
constexpr program twice = program_of<1>([](auto s, auto h) {
  const auto product = softmax(s, along(h)) * h;
  return sum(product, along(h)) + max(product, along(h));
});
constexpr program of_each_feature =
    program_of<3>([](auto s, auto h) { return sum(softmax(s, along(h)) * h, along(h)); });
constexpr program of_what_is_computed =
    program_of<1>([](auto s, auto h) { return sum(softmax(s, along(h)) * tanh(h), along(h)); });
constexpr program without_softmax = program_of<1>([](auto s, auto h) { return sum(s * h, along(h)); });

constexpr bool is_recognised(const program& p) {
  const program q = with_weighted_sums(p);
  return count(q, opcode::weighted_sum) == 1 &&
         count(q, opcode::axis_sum) == count(p, opcode::axis_sum) - 1 &&
         count(q, opcode::multiply) == count(p, opcode::multiply) - 1;
}
static_assert(is_recognised(weighted) && is_recognised(turned));
// Not recognised: a value that is read twice, which must be stored; weights of each feature, which are not one number per row;
// computed values, which would have to be stored for it; and a sum of products without a softmax.
static_assert(with_weighted_sums(twice) == twice && with_weighted_sums(of_each_feature) == of_each_feature &&
              with_weighted_sums(of_what_is_computed) == of_what_is_computed &&
              with_weighted_sums(without_softmax) == without_softmax);

}  // namespace

TEST_CASE("the program with weighted sums computes the same") {
  generator random(3);
  for (const program* p : {&weighted, &turned, &twice, &of_each_feature}) {
    const std::vector<steps> inputs = random_inputs(*p, 0, 6, random);
    const program q = with_weighted_sums(*p);
    const interpretation expected = interpret(*p, inputs, {}), got = interpret(q, inputs, {});
    for (int o = 0; o < p->outputs.size; ++o)
      for (std::size_t t = 0; t < 6; ++t)
        for (std::size_t j = 0; j < expected.output(*p, o)[t].size(); ++j)
          CHECK(got.output(q, o)[t][j] == doctest::Approx(expected.output(*p, o)[t][j]).epsilon(1e-12));
  }
}
