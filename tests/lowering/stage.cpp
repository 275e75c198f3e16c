// Stages: which products are computed together with the map that reads them, and which terms are in their sums.
#include "support/letters.hpp"
#include <tenon/equation/reverse.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/lowering/stage.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;
using namespace tenon::test;

namespace {

constexpr stage_limits large{.sums = 16, .weights = 1 << 20};

constexpr schedule plan_of(const program& p, const carried_pairs& carried, stage_limits limits = large) {
  return with_stages(make_schedule(group_products(p), carried), limits, limits);
}
constexpr int maps_with_stage(const schedule& s) {
  int n = 0;
  for (int k = 0; k < s.kernels.size; ++k)
    n += s.kernels[k].kind == kernel_kind::map && !stage_of(s, k).products.empty();
  return n;
}
constexpr int staged_products(const schedule& s) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.stage >= 0;
  return n;
}
constexpr stage_body stage_in(const schedule& s, phase when) {
  for (int k = 0; k < s.kernels.size; ++k)
    if (s.kernels[k].kind == kernel_kind::map && s.kernels[k].when == when &&
        !stage_of(s, k).products.empty())
      return stage_of(s, k);
  return {};
}
constexpr int real_loads(const stage_body& b) {  // neither sums nor packed
  int n = 0;
  for (const map_load& load : b.body.loads) n += load.sum < 0 && load.packed < 0;
  return n;
}

// --- an LSTM in a loop: U h is a stage, W x stays outside ---
constexpr carried_pairs two_states{carried_pair{1, 1}, carried_pair{2, 2}};
constexpr program lstm = trace_step<nn::cells::lstm>(5, 3).equations;
constexpr schedule looped = plan_of(lstm, two_states);
static_assert(staged_products(looped) == 1 && maps_with_stage(looped) == 1);
constexpr stage_body in_loop = stage_in(looped, phase::loop);
static_assert(in_loop.sums == 4 && in_loop.packed == 4,
              "one sum for each gate, initialized with both its biases");
static_assert(in_loop.vectors.size == 8 && in_loop.products.size == 1 && in_loop.products[0].depth == 3);
static_assert(real_loads(in_loop) == 5, "W x of four gates, and c");

// --- one step: both products are in the stage, on the same sums ---
constexpr schedule one_step = plan_of(lstm, {});
constexpr stage_body at_once = stage_in(one_step, phase::before);
static_assert(staged_products(one_step) == 2 && one_step.kernels.size == 3);
static_assert(at_once.sums == 4 && at_once.packed == 4 && at_once.products.size == 2);
static_assert(at_once.products[0].depth + at_once.products[1].depth == 8);
static_assert(real_loads(at_once) == 1, "c alone is read from memory");

// --- a GRU multiplies one of its products: that sum is separate ---
constexpr stage_body gru = stage_in(plan_of(trace_step<nn::cells::gru>(5, 3).equations, {}), phase::before);
static_assert(gru.sums == 4 && gru.packed == 4, "r, z, and n from the input and from the state");
static_assert(gru.products[0].sums.size == 3 && gru.products[1].sums.size == 3);

// --- U_n waits for r: two stages, one after the other ---
static_assert(maps_with_stage(plan_of(trace_step<nn::cells::gru_cho>(5, 3).equations, {})) == 2);

// --- limits ---
static_assert(staged_products(plan_of(lstm, {}, {})) == 0);
static_assert(staged_products(plan_of(lstm, {}, {.sums = 4, .weights = 1 << 20})) == 1,
              "room for one of them");
static_assert(staged_products(plan_of(lstm, {}, {.sums = 16, .weights = 4 * 3})) == 1, "the smaller one");

// --- what has no stage ---
struct bare : equations::symbols {  // the product is the output: no map reads it
  static constexpr auto at(auto x) { return matrix<"weight", 4>(x); }
};
struct normalised : equations::symbols {  // several maps read it
  static constexpr auto at(auto x) { return softmax(matrix<"weight", 4>(x)); }
};
struct beside : equations::symbols {  // it is a part of a concat
  static constexpr auto at(auto x) { return tanh(concat(matrix<"weight", 4>(x), x)); }
};
static_assert(staged_products(plan_of(trace_at<bare>(sizes{3}).equations, {})) == 0);
static_assert(staged_products(plan_of(trace_at<normalised>(sizes{3}).equations, {})) == 0);
static_assert(staged_products(plan_of(trace_at<beside>(sizes{4}).equations, {})) == 0);

// --- sums ---
struct affine : equations::symbols {
  static constexpr auto at(auto x) { return relu(matrix<"weight", 4>(x) + vector<"bias">); }
};
struct twice : equations::symbols {  // a sum that is read twice is one term, and what is scaled is another
  static constexpr auto at(auto x, auto y) {
    const auto a = matrix<"V", 4>(x) + vector<"b">;
    return a * tanh(a) + (matrix<"U", 4>(y) + 0.5 * vector<"c">);
  }
};
struct
    multiplied_too {  // a product read by an addition and by something else: the addition is no part of its sum
  static constexpr auto at(auto x, auto y) {
    const auto a = matrix<"V", 4>(x);
    return a * tanh(a + y + vector<"b">);
  }
};
constexpr int additions(const stage_body& b) {
  int n = 0;
  for (const instruction& i : b.body.code) n += i.code == opcode::add;
  return n;
}
constexpr stage_body apart =
    stage_in(plan_of(trace_at<multiplied_too>(sizes{3, 4}).equations, {}), phase::before);
static_assert(apart.sums == 1 && apart.products.size == 1 && apart.packed == 1 && additions(apart) == 2);
constexpr stage_body one_layer = stage_in(plan_of(trace_at<affine>(sizes{3}).equations, {}), phase::before);
static_assert(one_layer.sums == 1 && one_layer.packed == 1 && real_loads(one_layer) == 0);
static_assert(one_layer.body.code.size == 2, "the sum, and relu of it: the addition has gone into the sum");
constexpr stage_body shared = stage_in(plan_of(trace_at<twice>(sizes{3, 5}).equations, {}), phase::before);
static_assert(shared.sums == 2 && shared.products.size == 2 && shared.packed == 2);

// --- what else is read before a stage runs again ---
struct two_in_turn : equations::symbols {
  static constexpr auto step(auto x, auto h) { return tanh(U<"b">(tanh(W<"a">(x) + U<"a">(h)) * h)); }
};
constexpr program in_turn = trace_step<two_in_turn>(3, 4).equations;
constexpr carried_pairs one_state{carried_pair{1, 1}};
static_assert(stage_in(plan_of(in_turn, {}), phase::before).others == 4 * 4, "U_b");
static_assert(stage_in(plan_of(in_turn, one_state), phase::loop).others == 4 * 4, "and W_a x stands already");
static_assert(one_layer.others == 0 && in_loop.others == 0 && at_once.others == 0);

// --- small loops keep the products of their inputs, if no other product loses its stage for it ---
constexpr schedule of_loop(const program& p, const carried_pairs& carried, int loop_weights) {
  return make_staged_schedule(group_products(p), carried,
                              {.sums = 16, .weights = 1 << 20, .one_row = true, .loop_weights = loop_weights},
                              {});
}
constexpr int products_in(const schedule& s, phase when) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.kind == kernel_kind::matmul && k.when == when;
  return n;
}
static_assert(products_in(of_loop(lstm, two_states, 96), phase::loop) == 2);
static_assert(staged_products(of_loop(lstm, two_states, 96)) == 2);
static_assert(products_in(of_loop(lstm, two_states, 95), phase::before) == 1);
constexpr program cho = trace_step<nn::cells::gru_cho>(5, 3).equations;
static_assert(products_in(of_loop(cho, one_state, 1000), phase::loop) == 3);
static_assert(staged_products(of_loop(cho, one_state, 1000)) == 2, "W x has two readers, and its own place");
struct nine_gates : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto g = [&]<text Name>() { return tanh(W<Name>(x)) * tanh(U<Name>(h)); };
    return g.template operator()<"a">() + g.template operator()<"b">() + g.template operator()<"c">() +
           g.template operator()<"d">() + g.template operator()<"e">() + g.template operator()<"f">() +
           g.template operator()<"g">() + g.template operator()<"i">() + g.template operator()<"j">();
  }
};
constexpr schedule nine = of_loop(trace_step<nine_gates>(3, 4).equations, one_state, 1000);
static_assert(products_in(nine, phase::before) == 1 && products_in(nine, phase::loop) == 1);
static_assert(staged_products(nine) == 1, "eighteen sums are too many: those of the state have the stage");

// Kernels that run on all steps at once have limits of their own: those outside of a loop, but not those with one row for a sequence.
struct one_product : equations::symbols {
  static constexpr auto at(auto x) { return tanh(W<"", 4>(x)); }
};
constexpr stage_limits small{.sums = 16, .weights = 1 << 20, .one_row = true}, no_products{.one_row = true};
constexpr schedule outside_of_loop(domain varies, stage_limits limits, stage_limits of_steps) {
  program p = trace_at<one_product>(sizes{3}).equations;
  p.varies = {varies};
  return make_staged_schedule(p, {}, limits, of_steps);
}
static_assert(staged_products(outside_of_loop(domain::rows, no_products, large)) == 1 &&
              staged_products(outside_of_loop(domain::rows, large, {})) == 0);
static_assert(staged_products(outside_of_loop(domain::batch, no_products, large)) == 0 &&
              staged_products(outside_of_loop(domain::batch, large, {})) == 1);
static_assert(stage_in(outside_of_loop(domain::batch, small, large), phase::before).one_row &&
              !stage_in(outside_of_loop(domain::rows, small, large), phase::before).one_row);

// A map with a sum over features needs whole rows: it takes no products, which come by units.
struct summed : equations::symbols {
  static constexpr auto at(auto x) { return sum(tanh(W<"", 4>(x))); }
};
struct not_summed : equations::symbols {
  static constexpr auto at(auto x) { return tanh(W<"", 4>(x)); }
};
static_assert(staged_products(plan_of(trace_at<summed>(sizes{3}).equations, {})) == 0 &&
              staged_products(plan_of(trace_at<not_summed>(sizes{3}).equations, {})) == 1);

}  // namespace

TEST_CASE("the weights of a unit stay within the limit") {
  for (int limit = 1; limit < 40; ++limit) {
    const schedule s = plan_of(lstm, {}, {.sums = 16, .weights = limit});
    int weights = 0;
    for (const kernel& k : s.kernels)
      if (k.stage >= 0) weights += 4 * s.equations.code[s.equations.code[k.value].a].size;
    CHECK(weights <= limit);
    CHECK(staged_products(s) == (limit >= 32 ? 2 : limit >= 12 ? 1 : 0));
  }
}
