// The roles of equations: cells, pointwise equations, scores; and tracing equations at a position.
#include "support/equation.hpp"
#include <tenon/equation/trace.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::test;

namespace {

// --- each concept has a model and a non-model --------------------------------------------------------------
static_assert(concepts::Cell<nn::cells::lstm> && concepts::Cell<nn::cells::gru>);
static_assert(!concepts::Cell<nn::activation::relu> && !concepts::Cell<int> &&
              !concepts::Cell<nn::score::dot>);
static_assert(concepts::Pointwise<nn::activation::relu> && !concepts::Pointwise<nn::cells::lstm> &&
              !concepts::Pointwise<int>);
static_assert(concepts::Score<nn::score::dot> && concepts::Score<nn::score::additive<3>> &&
              !concepts::Score<nn::activation::relu>);

// --- shapes of what is traced ------------------------------------------------------------------------------
// Results after the first have names.
template <class S>
struct scored {
  static constexpr auto at(auto s, auto h) { return with<"query">(S::score(s, h), s); }
};
constexpr traced additive = trace_at<scored<nn::score::additive<7>>>(sizes{5, 3});
static_assert(output_size(additive.equations, 0) == 1 && output_size(additive.equations, 1) == 5);
static_assert(additive.equations.symbols[0].rows == 7);
static_assert(additive.names == list<label, max_sources>{label("query")});
// A value summed over an axis no longer has it; one_hot requests its own input.
struct counted {
  static constexpr auto at(auto x, auto token) {
    return with<"total">(one_hot(token, x) * x, sum<"time">(x));
  }
};
constexpr traced over_time = trace_at<counted>(sizes{5, 1}, {{domain::rows, domain::rows}, "time"});
static_assert(!over_time.wrong && over_time.equations.inputs == list<int, max_program_inputs>{5, 1, 5});
static_assert(over_time.equations.varies ==
              list<domain, max_program_inputs>{domain::rows, domain::rows, domain::batch});
static_assert(trace_at<counted>(sizes{5, 1}).wrong, "without an axis there is no sum over it");

// A grid has no step before a place.
struct step_before {
  static constexpr auto at(auto x) { return shift<1, "time">(x); }
};
static_assert(!trace_at<step_before>(sizes{5}, {.varies = {domain::rows}, .time = "time"}).wrong);
static_assert(
    trace_at<step_before>(sizes{5}, {.varies = {domain::rows}, .time = "time", .time_is_grid = true}).wrong);
// Results have the sizes that are asked for; 0 is any.
constexpr traced as_asked_for = trace(sizes{1, 3}, {7, 0}, {}, [](const auto& x) {
  return list<value, 8>{tanh(x[0]), exp(x[1])};
});
static_assert(output_size(as_asked_for.equations, 0) == 7 && output_size(as_asked_for.equations, 1) == 3);

static_assert(trace_at<scored<nn::score::dot>>(sizes{3, 4}).wrong &&
              !trace_at<scored<nn::score::dot>>(sizes{4, 4}).wrong);

}  // namespace

TEST_CASE("equations are traced at compile time") { CHECK(additive.equations.code.size > 0); }
