// The roles equations play: cells, pointwise equations, scores; what they are asked for, and what is wrong
// with them.
#include "support/equation.hpp"
#include <tenon/equation/trace.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::equations;
using namespace tenon::test;

namespace {

// --- each concept has a model and a non-model --------------------------------------------------------------
static_assert(Cell<lstm_cell> && state_count<lstm_cell> == 2 && Cell<gru_cell> && state_count<gru_cell> == 1);
static_assert(!Cell<activation::relu> && !Cell<int> && !Cell<score::dot>);
static_assert(Pointwise<activation::relu> && !Pointwise<lstm_cell> && !Pointwise<int>);
static_assert(Score<score::dot> && Score<score::additive<3>> && !Score<activation::relu>);

// --- shapes of what is traced ------------------------------------------------------------------------------
constexpr program lstm = trace_step<lstm_cell>(5, 3).equations;
static_assert(lstm.inputs == list<int, max_program_inputs>{5, 3, 3} && lstm.outputs.size == 3);
static_assert(lstm.outputs[0] == lstm.outputs[1], "the output of an LSTM is its first state");
// Results behind the first have names.
template <class S>
struct scored {
  static constexpr auto at(auto s, auto h) { return with<"query">(S::score(s, h), s); }
};
constexpr traced additive = trace_at<scored<score::additive<7>>>(sizes{5, 3});
static_assert(output_size(additive.equations, 0) == 1 && output_size(additive.equations, 1) == 5);
static_assert(additive.equations.symbols[0].rows == 7);
static_assert(additive.names == list<label, max_sources>{label("query")});
// What is summed over an axis has it no longer; one_hot asks for an input of its own.
struct counted {
  static constexpr auto at(auto x, auto token) {
    return with<"total">(one_hot(token, x) * x, sum<"time">(x));
  }
};
constexpr traced over_time = trace_at<counted>(sizes{5, 1}, {{domain::rows, domain::rows}, "time"});
static_assert(!over_time.wrong && over_time.equations.inputs == list<int, max_program_inputs>{5, 1, 5});
static_assert(over_time.equations.varies ==
              list<domain, max_program_inputs>{domain::rows, domain::rows, domain::timeless});
static_assert(trace_at<counted>(sizes{5, 1}).wrong, "without an axis there is no sum over it");

struct emitting {
  static constexpr auto step(auto x, auto h) { return next(tanh(x + h)).emitting(W<"out", 7>(h)); }
};
static_assert(output_size(trace_step<emitting>(3, 3).equations, 0) == 7 &&
              output_size(trace_step<emitting>(3, 3).equations, 1) == 3);
// A single state may be returned as it is.
struct plainly {
  static constexpr auto step(auto x, auto h) { return tanh(W<>(x) + U<>(h)); }
};
static_assert(!trace_step<plainly>(2, 4).wrong && trace_step<plainly>(2, 4).equations.outputs.size == 2);

// --- what is wrong -----------------------------------------------------------------------------------------
struct one_state_short {
  static constexpr auto step(auto x, auto h, auto c) { return next(x + h + c); }
};
static_assert(says(trace_step<one_state_short>(3, 3).wrong,
                   "the cell's step must return 2 states, got 1; return next(one value for each state that "
                   "step takes), or name a "
                   "source for what it sees at every step"));
struct wide_state {
  static constexpr auto step(auto x, auto h) { return next(concat(x, h)); }
};
static_assert(says(trace_step<wide_state>(2, 3).wrong,
                   "the cell's next state must have 3 features, got 5 from 'state 0'; "
                   "a next state has the size of the state it replaces"));
struct narrow_state {
  static constexpr auto step(auto x, auto h) { return next(sum(x) + sum(h)); }
};
static_assert(says(trace_step<narrow_state>(2, 3).wrong,
                   "the cell's next state must have 3 features, got 1 from 'state 0'; "
                   "a next state has the size of the state it replaces"));
struct two_outputs {
  static constexpr auto step(auto x, auto h) { return next(x + h).emitting(x, h); }
};
static_assert(says(trace_step<two_outputs>(3, 3).wrong,
                   "the cell's step must emit 1 output, got 2; concat several outputs into one"));
static_assert(says(trace_step<lstm_cell>(3, 3).wrong, ""));
static_assert(trace_at<scored<score::dot>>(sizes{3, 4}).wrong &&
              !trace_at<scored<score::dot>>(sizes{4, 4}).wrong);

}  // namespace

TEST_CASE("equations are traced at compile time") { CHECK(lstm.code.size > 0); }
