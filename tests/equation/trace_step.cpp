// The step of a cell: its states and outputs, what it sees at every step, and its mistakes.
#include "support/equation.hpp"
#include <tenon/equation/trace_step.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::test;

namespace {

static_assert(state_count<nn::cells::lstm> == 2 && state_count<nn::cells::gru> == 1);
constexpr program lstm = trace_step<nn::cells::lstm>(5, 3).equations;
static_assert(lstm.inputs == list<int, max_program_inputs>{5, 3, 3} && lstm.outputs.size == 3);
static_assert(lstm.outputs[0] == lstm.outputs[1], "the output of an LSTM is its first state");
static_assert(says(trace_step<nn::cells::lstm>(3, 3).wrong, ""));

struct emitting : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(tanh(x + h)).emitting(W<"out", 7>(h)); }
};
static_assert(output_size(trace_step<emitting>(3, 3).equations, 0) == 7 &&
              output_size(trace_step<emitting>(3, 3).equations, 1) == 3);
// A single state may be returned without a list.
struct plainly : equations::symbols {
  static constexpr auto step(auto x, auto h) { return tanh(W<>(x) + U<>(h)); }
};
static_assert(!trace_step<plainly>(2, 4).wrong && trace_step<plainly>(2, 4).equations.outputs.size == 2);

// --- what is wrong -----------------------------------------------------------------------------------------
struct one_state_short {
  static constexpr auto step(auto x, auto h, auto c) { return next(x + h + c); }
};
static_assert(says(trace_step<one_state_short>(3, 3).wrong,
                   "the cell's step must return 2 states, got 1; return next(one value for each state that "
                   "step takes), or name a source for each other argument"));
struct wide_state {
  static constexpr auto step(auto x, auto h) { return next(concat(x, h)); }
};
static_assert(says(trace_step<wide_state>(2, 3).wrong,
                   "the cell's next state must have 3 features, got 5 from 'concat(...)'; "
                   "a next state has the size of the state it replaces"));
struct narrow_state {
  static constexpr auto step(auto x, auto h) { return next(sum(x) + sum(h)); }
};
static_assert(says(trace_step<narrow_state>(2, 3).wrong,
                   "the cell's next state must have 3 features, got 1 from '+(...)'; "
                   "a next state has the size of the state it replaces"));
struct lopsided_state {
  static constexpr auto step(auto x, auto h, auto c) { return next(h + sum(x), concat(c, c)); }
};
static_assert(says(trace_step<lopsided_state>(2, 3).wrong,
                   "the cell's next state 1 must have 3 features, got 6 from 'concat(...)'; "
                   "a next state has the size of the state it replaces"));
struct swapped_states {
  static constexpr auto step(auto x, auto h, auto c) { return next(tanh(c) + sum(x), tanh(h)); }
};
static_assert(!trace_step<swapped_states>(2, 3).wrong);
static_assert(says(trace_step<swapped_states>(2, sizes{4, 3}).wrong,
                   "the cell's next state 0 must have 4 features, got 3 from 'input 2'; "
                   "return next(..) in the order in which step takes its states"));
struct two_outputs {
  static constexpr auto step(auto x, auto h) { return next(x + h).emitting(x, h); }
};
static_assert(says(trace_step<two_outputs>(3, 3).wrong,
                   "the cell's step must emit 1 output, got 2; concat several outputs into one"));

// --- what it sees beside x and its states ------------------------------------------------------------------
struct seeing {
  static constexpr auto step(auto x, auto h, auto memory) { return tanh(x + h + sum<"source">(memory)); }
};
constexpr step_constants of_memory{{3}, {{domain::inner}, {}, "source"}};
static_assert(state_count<seeing> == 1);
static_assert(trace_step<seeing>(3, 3, of_memory).equations.varies ==
              list<domain, max_program_inputs>{domain::rows, domain::rows, domain::inner});
struct handing_on {
  static constexpr auto step(auto x, auto h, auto memory) { return tanh(x + h + memory); }
};
static_assert(says(trace_step<handing_on>(3, 3, of_memory).wrong,
                   "a result of the step varies along 'source' from 'tanh(...)'; reduce it first: "
                   "sum<\"source\">, or a weighted sum with a softmax"));

}  // namespace

TEST_CASE("a step is traced at compile time") { CHECK(lstm.code.size > 0); }
