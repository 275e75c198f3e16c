// Loops that a backend may run whole: which loops these are, and which columns of the states they read and write.
#include <tenon/equation/reverse.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/loop.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>
#include <tenon/program/encoding.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

constexpr stage_limits large{.sums = 16, .weights = 1 << 20};
constexpr carried_pairs one_state{carried_pair{1, 1}}, two_states{carried_pair{1, 1}, carried_pair{2, 2}};
constexpr schedule plan_of(const program& p, const carried_pairs& carried, stage_limits limits = large) {
  return make_staged_schedule(group_products(p), carried, limits, {});
}

// --- an LSTM: h is multiplied, c is read unit by unit, both are written ---
constexpr schedule lstm = plan_of(trace_step<nn::cells::lstm>(5, 3).equations, two_states);
constexpr loop_body loop = loop_of(lstm);
static_assert(loop.states.size == 2 && loop.row() == 6 && loop.weights() == 4 * 3 * 3);
static_assert(loop.products.size == 1 && loop.products[0] == 0 && loop.weights_before(0) == 0);
constexpr int count(const auto& columns, int column) {
  int n = 0;
  for (int c : columns) n += c == column;
  return n;
}
static_assert(count(loop.loads, 3) == 1 && count(loop.loads, 0) == 0);
static_assert(loop.stores.size == 3 && count(loop.stores, 0) == 1 && count(loop.stores, 3) == 1 &&
              count(loop.stores, -1) == 1);

// --- loops that do not qualify ---
static_assert(loop_of(plan_of(trace_step<nn::cells::gru>(5, 3).equations, one_state)).states.size == 1);
static_assert(loop_of(plan_of(trace_step<nn::cells::gru_cho>(5, 3).equations, one_state)).states.empty(),
              "two stages");
static_assert(loop_of(plan_of(trace_step<nn::cells::lstm>(5, 3).equations, {})).states.empty(), "no loop");
static_assert(loop_of(plan_of(trace_step<nn::cells::lstm>(5, 3).equations, two_states, {})).states.empty(),
              "no stage");
constexpr stage_limits keeps_products{
    .sums = 16, .weights = 1 << 20, .one_row = true, .loop_weights = 1 << 20};
static_assert(
    loop_of(plan_of(trace_step<nn::cells::lstm>(5, 3).equations, two_states, keeps_products)).states.empty(),
    "a product of the input's");
struct parts_cell : equations::symbols {  // its state is written in two parts
  static constexpr auto step(auto x, auto h) {
    return next(concat(tanh(W<"a">(x) + U<"a">(h) + slice<2, 2>(h)), sigmoid(W<"c">(x) + U<"c">(h))));
  }
};
static_assert(loop_of(plan_of(trace_step<parts_cell>(5, 4).equations, one_state)).states.empty());

// Nothing is read behind the last kernel: here its kernels are all that is there.
constexpr bool reads_within_a_schedule = [] {
  kernel all[lstm.kernels.size]{};
  for (int k = 0; k < lstm.kernels.size; ++k) all[k] = lstm.kernels[k];
  schedule_view s = lstm;
  s.kernels = {all, lstm.kernels.size};
  return loop_of(s).states.size == 2;
}();
static_assert(reads_within_a_schedule);

// --- limits ---
static_assert(loop_fits(lstm, {.weights = 36, .states = 6, .numbers = 1}));
static_assert(!loop_fits(lstm, {.weights = 35, .states = 6, .numbers = 1}));
static_assert(!loop_fits(lstm, {.weights = 36, .states = 5, .numbers = 1}));
static_assert(!loop_fits(lstm, {}));
static_assert(loop_fits(lstm, {.blocks = 3, .weights_of_block = 12}));  // a unit has 12 weights
static_assert(!loop_fits(lstm, {.blocks = 2, .weights_of_block = 12}) &&
              !loop_fits(lstm, {.blocks = 3, .weights_of_block = 11}));
static_assert(loop_fits(lstm, {.blocks = 2, .weights_of_block = 24}) &&
                  !loop_fits(lstm, {.blocks = 1, .weights_of_block = 47}),
              "a block has a power of two of units");
static_assert(loop_fits(lstm, {.blocks = 1, .weights_of_block = 48, .least_shared = 36}) &&
              !loop_fits(lstm, {.blocks = 1, .weights_of_block = 48, .least_shared = 37}));

// --- as a template argument ---
using code = loop_code<encode<encoded_size(loop)>(loop)>;
static_assert(code::loop.stores == loop.stores && code::loop.loads == loop.loads &&
              code::loop.products == loop.products);
static_assert(code::loop.states == loop.states && code::body.width == 3 &&
              code::loop.weights() == loop.weights());

}  // namespace

TEST_CASE("loops that are one stage") { CHECK(loop.states.size == 2); }
