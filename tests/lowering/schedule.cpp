// Queries of a schedule: how wide its maps are, what is read after the loop, which kernels only serve the next step.
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/nn/cell/gru.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

constexpr schedule of_gru =
    make_schedule(group_products(trace_step<nn::cells::gru>(5, 3).equations), {carried_pair{1, 1}});
static_assert(widest_map(of_gru) == 3);
constexpr bool has_stages = [] {
  for (const kernel& k : of_gru.kernels)
    if (k.stage >= 0) return true;
  return false;
}();
static_assert(!has_stages, "a schedule has none before stage.hpp makes them");
static_assert(!reads_after_loop(of_gru, space::input, 0) && !reads_after_loop(of_gru, space::output, 0));

// The output is read again, after the loop, by a product that no step needs.
struct projected : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto next_h = tanh(x + U<>(h));
    return next(next_h).emitting(W<"out", 7>(next_h));
  }
};
constexpr schedule of_projected = make_schedule(trace_step<projected>(3, 3).equations, {carried_pair{1, 1}});
static_assert(reads_after_loop(of_projected, space::output, 1) &&
              !reads_after_loop(of_projected, space::input, 0));

// A second state that the output does not read: the kernel that computes it serves only the next step.
struct counting : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) { return next(tanh(x + h), tanh(U<"c">(c))); }
};
constexpr schedule of_counting =
    make_schedule(trace_step<counting>(3, {sizes{3, 4}}).equations, {carried_pair{1, 1}, carried_pair{2, 2}});
constexpr int serving_the_next = [] {
  int n = 0;
  for (int k = 0; k < of_counting.kernels.size; ++k) n += only_serves_next_step(of_counting, k);
  return n;
}();
static_assert(serving_the_next == 2, "its product and its map");

// Backward, a kernel whose results go into a gradient serves more than the next step, also if the step's input needs no adjoint.
constexpr schedule back_through_gru = make_schedule(
    split(reverse(group_products(trace_step<nn::cells::gru>(5, 3).equations), {false, true})).backward,
    {carried_pair{3, 0}});
constexpr bool gradients_are_kept = [] {
  const program_view p = back_through_gru.equations;
  int found = 0;
  for (int e : p.effects)
    for (int o : {int(p.code[e].a), int(p.code[e].b)}) {
      if (o < 0 || back_through_gru.kernel_of[o] < 0) continue;
      ++found;
      if (only_serves_next_step(back_through_gru, back_through_gru.kernel_of[o])) return false;
    }
  return found > 0;
}();
static_assert(gradients_are_kept);

// A kernel runs along the inner axis if its rows have it.
static_assert(kernel{.over = domain::both}.runs_along() == dimension::inner &&
              kernel{.over = domain::rows}.runs_along() == dimension::time);

}  // namespace

TEST_CASE("schedules are made at compile time") { CHECK(of_gru.kernels.size > 0); }
