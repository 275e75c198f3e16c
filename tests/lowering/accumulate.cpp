// Sums that maps compute in place: over time steps, and added to values that other kernels have initialized.
#include "support/check_equation.hpp"
#include "support/execute.hpp"
#include "support/letters.hpp"
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/accumulate.hpp>
#include <tenon/lowering/make_schedule.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

// A score as attention has it: one query for the sequence, a state at each step.
struct scaled_dot {
  static constexpr auto at(auto s, auto h) { return dot(s, h) * 0.5; }
};
struct through_a_product : equations::symbols {
  static constexpr auto at(auto s, auto h) { return dot(s, matrix<"A", 3>(h)); }
};
// Backward: inputs query, state, the adjoint of the score, saved; outputs: adjoints of query and state.
template <class Score>
constexpr program gradient() {
  program p = trace_at<Score>(sizes{3, 3}).equations;
  p.varies = {domain::batch, domain::rows};
  return split(reverse(p, {true, true}, {})).backward;
}
template <class Score>
constexpr schedule plain = make_schedule(gradient<Score>(), {});
template <class Score, bool... Begun>
constexpr schedule accumulated = with_accumulation(plain<Score>, {Begun...});
template <class Score, bool... Begun>
constexpr schedule accumulated_in_products = with_accumulation(plain<Score>, {Begun...}, true);

constexpr int kernels_that_run(const schedule& s) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.when != phase::none;
  return n;
}
constexpr int memory(const schedule& s) {
  int n = 0;
  for (const buffer& b : s.buffers) n += b.width;
  return n;
}
static_assert(kernels_that_run(plain<scaled_dot>) ==
                  kernels_that_run(accumulated<scaled_dot, false, false>) + 1,
              "the sum over steps is no pass of its own");
static_assert(memory(plain<scaled_dot>) == memory(accumulated<scaled_dot, false, false>) + 3,
              "and what it sums is never stored");
static_assert(!adds_to_output(accumulated<scaled_dot, false, false>, 0) &&
              !adds_to_output(accumulated<scaled_dot, false, false>, 1));
static_assert(adds_to_output(accumulated<scaled_dot, true, true>, 0) &&
              adds_to_output(accumulated<scaled_dot, true, true>, 1));
static_assert(!adds_to_output(accumulated<through_a_product, false, true>, 1),
              "a product writes what it makes,");
static_assert(adds_to_output(accumulated_in_products<through_a_product, false, true>, 1),
              "unless the backend's products can add");
static_assert(!adds_to_output(accumulated_in_products<through_a_product, false, false>, 1));

// A map adds to a value that another kernel has initialized, but not if the map's own result is read.
constexpr schedule of_outputs(bool is_read) {
  const traced t = trace(sizes{3}, {}, {}, [&](const auto& x) {
    const value first = tanh(x[0]);
    return list<value, 8>{first, matrix<"A", 2>(is_read ? first : x[0])};
  });
  return with_accumulation(make_schedule(t.equations, {}), {true, false});
}
static_assert(adds_to_output(of_outputs(false), 0) && !adds_to_output(of_outputs(true), 0));

// A product in a loop gives the adjoint of a state: the loop passes it on, and overwrites it at each step. Nor is a product's own
// result read.
struct step_of_states : equations::symbols {
  static constexpr auto step(auto x, auto h) { return tanh(W<>(x) + U<>(h)); }
};
constexpr schedule of_loop = [] {
  const program p = trace_step<step_of_states>(2, 3).equations;
  const carried_pairs carried{carried_pair{3, 1}};
  return with_accumulation(make_schedule(split(reverse(p, {true, true})).backward, carried), {true, true},
                           true);
}();
static_assert(adds_to_output(of_loop, 0) && !adds_to_output(of_loop, 1));
constexpr bool adds_what_is_read = [] {
  const traced t = trace(sizes{3}, {}, {}, [](const auto& x) {
    const value y = matrix<"A", 2>(x[0]);
    return list<value, 8>{y};
  });
  program p = split(reverse(t.equations, {true})).backward;
  program q = p;
  q.outputs.add(q.code.add({.code = opcode::tanh, .a = short(p.outputs[0]), .size = 3}));
  const auto begun = [](const program& of) {
    return adds_to_output(with_accumulation(make_schedule(of, {}), {true}, true), 0);
  };
  return begun(p) && !begun(q);
}();
static_assert(adds_what_is_read);

// A value that something else reads is stored, and summed in a pass of its own; so is the sum of an input.
constexpr schedule sum_over_time(bool of_input, bool is_accumulated) {
  const auto results = [&](const auto& x) {
    const value y = of_input ? x[0] : tanh(x[0]);
    return list<value, 8>{sum<"time">(y), matrix<"A", 2>(y)};
  };
  const schedule s = make_schedule(trace(sizes{3}, {}, {}, results, {{domain::rows}, "time"}).equations, {});
  return is_accumulated ? with_accumulation(s, {false, false}) : s;
}
template <bool OfInput>
constexpr bool has_its_own_pass = [] {
  constexpr schedule before = sum_over_time(OfInput, false), after = sum_over_time(OfInput, true);
  return kernels_that_run(after) == kernels_that_run(before) && memory(after) == memory(before);
}();
static_assert(has_its_own_pass<false> && has_its_own_pass<true>);

// A loop runs all phases for some steps at a time, but not if something happens once for all steps: what has one value for a sequence,
// or a function over an axis.
struct plain_step : equations::symbols {
  static constexpr auto step(auto x, auto h, auto y) { return tanh(W<>(x) + U<>(h) + y); }
};
struct with_row : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) { return tanh(W<>(x) + U<>(h) + V<>(c)); }
};
struct with_sequence : equations::symbols {
  static constexpr auto step(auto x, auto h, auto m) {
    return tanh(W<>(x) + U<>(h) + sum<"source">(softmax<"source">(dot(h, m)) * m));
  }
};
template <class C>
constexpr schedule loop_with(domain varies) {
  return make_schedule(trace_step<C>(5, 3, {sizes{3}, {{varies}, {}, "source"}}).equations,
                       {carried_pair{1, 1}});
}
static_assert(loops_in_blocks(loop_with<plain_step>(domain::rows)));
static_assert(!loops_in_blocks(loop_with<with_row>(domain::batch)));
static_assert(!loops_in_blocks(loop_with<with_sequence>(domain::inner)));

template <class Score>
void check(const schedule& s, const std::vector<bool>& initialized) {
  const program& p = gradient<Score>();
  generator random(7);
  const int time = 4;
  std::vector<row> symbols;
  for (int n = 0; n < p.symbols.size; ++n) symbols.push_back(random.numbers(p.symbols[n].elements()));
  const std::vector<steps> inputs = random_inputs(p, 0, time, random);
  std::vector<steps> before;
  for (int o : p.outputs) {
    before.emplace_back();
    for (int t = 0; t < time; ++t) before.back().push_back(random.numbers(p.code[o].size));
  }
  const execution expected = executor(make_schedule(p, {}), inputs, symbols).run({}, false);
  const execution got = executor(s, inputs, symbols, before).run({}, false);
  for (std::size_t o = 0; o < initialized.size(); ++o)
    for (std::size_t t = 0; t < (o == 0 ? 1u : std::size_t(time)); ++t) {
      row sum = expected.outputs[o][t];
      for (std::size_t j = 0; initialized[o] && j < sum.size(); ++j) sum[j] += before[o][t][j];
      check_close(sum, got.outputs[o][t], "output " + std::to_string(o) + " at " + std::to_string(t));
    }
}
TEST_CASE("sums are what separate passes make") {
  check<scaled_dot>(accumulated<scaled_dot, false, false>, {false, false});
  check<scaled_dot>(accumulated<scaled_dot, true, false>, {true, false});
  check<scaled_dot>(accumulated<scaled_dot, true, true>, {true, true});
  check<through_a_product>(accumulated<through_a_product, true, false>, {true, false});
  check<through_a_product>(accumulated_in_products<through_a_product, true, true>, {true, true});
}

}  // namespace
