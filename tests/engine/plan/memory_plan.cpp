// The memory plan: no value is written over another that is still live; proven for plans at compile time, and
// tested with poison.
#include "tenon/engine/plan/memory_plan.hpp"

#include "support/sample.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/pooling.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace tenon::test {
using namespace nn;

using lookup = graph<"lookup", input<"t", token<10>, steps<5>>, input<"x", features<7>, steps<5>>,
                     input<"i", token<10>>, node<"e", embedding<10, 7>, "t">, node<"s", add, "e", "x">,
                     node<"h", lstm<3, bidirectional, layers<2>, dropout<0.2>>, "s">,
                     node<"r", residual<linear<6>>, "h">, node<"q", chain<embedding<10, 5>, linear<6>>, "i">,
                     node<"c", attention<score::additive<4>>, "q", "r">, node<"y", linear<10>, "c">,
                     output<"y">, output<"c.weights">, output<"h.h_n">>;
using live = graph<"live", input<"x", features<3>, steps<6>>, node<"h", gru<5, layers<3>>, "x">,
                   node<"y", linear<2>, "h">, output<"y">>;

template <class Plan>
Plan plan_behind(const engine::session<Plan>&);
template <class Session>
using plan = decltype(plan_behind(std::declval<const Session&>()));

// No two regions share memory at a time at which both are live; all are inside the block.
template <class Plan>
constexpr bool regions_are_apart() {
  const auto& m = engine::memory_of<Plan>;
  for (int a = 0; a < m.regions.size; ++a) {
    const engine::region& r = m.regions[a];
    if (r.size == 0) continue;
    if (r.offset < 0 || r.offset + r.size > m.size || r.first > r.last) return false;
    for (int b = 0; b < a; ++b) {
      const engine::region& s = m.regions[b];
      const bool in_time = s.first <= r.last && r.first <= s.last;
      if (s.size > 0 && in_time && s.offset < r.offset + r.size && r.offset < s.offset + s.size) return false;
    }
  }
  return true;
}
// The values that an operation reads and writes are live when it runs; those kept for its backward pass are live until then.
template <class Plan>
constexpr bool regions_live_long_enough() {
  const auto& m = engine::memory_of<Plan>;
  const auto& net = Plan::net;
  bool all = true;
  const auto is_there = [&](const engine::region& r, int moment) {
    all = all && (r.size == 0 || (r.first <= moment && moment <= r.last));
  };
  for (int o = 0; o < net.operations.size; ++o) {
    if (!Plan::active.alive[o]) continue;
    const bool goes_back = Plan::active.differentiated[o];
    const int forward = Plan::forward_time_point(o), back = Plan::backward_time_point(o);
    for (const engine::region& r : m.regions_of(o)) {
      if (r.kind < engine::region_kind::backward_buffer) is_there(r, forward);
      else if (!goes_back) return false;
      const bool is_later = r.kind == engine::region_kind::table_adjoint;  // when all have run backward
      if (goes_back && r.kind != engine::region_kind::forward_buffer && !is_later) is_there(r, back);
    }
    const auto edge = [&](int e) {
      if (e < 0) return;
      const int value = m.value[net.owner(e)], adjoint = m.adjoint[net.owner(e)];
      if (value >= 0) is_there(m.regions[value], forward);
      if (value >= 0 && goes_back) is_there(m.regions[value], back);
      if (adjoint >= 0 && goes_back) is_there(m.regions[adjoint], back);
    };
    for (int e : net.operations[o].in) edge(e);
    for (int e : net.operations[o].out) edge(e);
  }
  return all;
}
// What has a place from before an operation runs, or until after it: adjoints that a loss writes while it runs forward, or to which the
// first to add is an operation that reads only a part; adjoints of a table; what a stream computes once.
template <class Plan>
constexpr bool regions_reach_far_enough() {
  const auto& m = engine::memory_of<Plan>;
  const auto& net = Plan::net;
  bool all = true;
  const auto reaches = [&](const engine::region& r, int first, int last) {
    all = all && (r.size == 0 || (r.first <= first && last <= r.last));
  };
  const auto is_there = [&](int r, int first, int last) {
    if (r >= 0) reaches(m.regions[r], first, last);
  };
  const int between = Plan::forward_time_point(net.operations.size), end = Plan::last_time_point;
  bool is_begun[net.edges.size + 1]{};
  for (int o = net.operations.size - 1; o >= 0; --o) {
    const operation& op = net.operations[o];
    const int back = Plan::backward_time_point(o);
    if (Plan::active.alive[o] && Plan::streaming && Plan::at_each_step.operation[o])
      for (int e : op.in)
        if (e >= 0 && !Plan::at_each_step.edge[net.owner(e)]) is_there(m.value[net.owner(e)], 1, end);
    if (!Plan::active.differentiated[o]) continue;
    if (traits_of(op.kind).makes_gradient && m.find(o, engine::region_kind::loss_gradient) == nullptr)
      is_there(m.adjoint[op.in[0]], Plan::forward_time_point(o), back);
    if (Plan::tables[o] >= 0) {
      reaches(*m.find(o, engine::region_kind::product_adjoint), back, end);
      reaches(*m.find(o, engine::region_kind::table_adjoint), end, end);
    }
    for (int e : op.in) {
      if (e < 0 || std::exchange(is_begun[net.owner(e)], true)) continue;
      if (net.edges[e].whole >= 0) is_there(m.adjoint[net.owner(e)], between, back);
    }
  }
  for (int e : net.outputs)
    if (Plan::streaming && !Plan::at_each_step.edge[net.owner(e)]) is_there(m.value[net.owner(e)], 1, end);
  return all;
}
// A loop that runs backward has memory for the adjoints of each state: before and after a step, and at the end.
template <class Plan>
constexpr bool states_have_adjoints() {
  const auto& m = engine::memory_of<Plan>;
  bool all = true;
  for (int o = 0; o < Plan::net.operations.size; ++o)
    for (int s = 0; s < Plan::states(o) && Plan::active.differentiated[o]; ++s)
      for (engine::region_kind kind : {engine::region_kind::next_adjoint, engine::region_kind::state_adjoint,
                                       engine::region_kind::carried_adjoint}) {
        const engine::region* r = m.find(o, kind, s);
        all = all && r != nullptr && r->size >= Plan::batch;
      }
  return all;
}
template <class Plan>
constexpr bool is_aligned() {
  for (const engine::region& r : engine::memory_of<Plan>.regions)
    if (r.offset % builder::alignment != 0) return false;
  return true;
}
template <class Plan>
constexpr long sum_of_regions() {
  long n = 0;
  for (const engine::region& r : engine::memory_of<Plan>.regions) n += r.size;
  return n;
}

template <class Session>
constexpr bool holds() {
  static_assert(regions_are_apart<plan<Session>>());
  static_assert(regions_live_long_enough<plan<Session>>());
  static_assert(states_have_adjoints<plan<Session>>());
  static_assert(regions_reach_far_enough<plan<Session>>());
  static_assert(is_aligned<plan<Session>>());
  static_assert(sum_of_regions<plan<Session>>() > 0);
  return true;
}
static_assert(holds<inference<lookup>>() && holds<inference<lookup, batch<32>>>());
static_assert(holds<differentiation<lookup, void, batch<3>>>());
static_assert(holds<differentiation<lookup, void, batch<3>, input_gradients, scalar_type<double>>>());
static_assert(holds<differentiation<lookup, losses::cross_entropy<"y">, batch<4>, steps<9>>>());
static_assert(holds<streaming<live>>() && holds<differentiation<live, void, input_gradients>>());

// Each layer of a decoder begins with a part of what an encoder's layers end with; a table whose rows are only multiplied; and a stream
// of one sequence beside one that it sees whole.
using handed_on = graph<"handed on", input<"x", features<3>, steps<4>>,
                        input<"y", features<2>, steps<3, "out">>, node<"e", gru<5, layers<2>>, "x">,
                        node<"h", gru<5, layers<2>>, "y", "e.h_n">, node<"z", linear<2>, "h">, output<"z">>;
using looked_up = graph<"looked up", input<"t", token<3>, steps<20>>, node<"e", embedding<3, 4>, "t">,
                        node<"h", gru<3>, "e">, node<"y", linear<2>, "h">, output<"y">>;
using decoder =
    graph<"decoder", input<"x", features<2>, steps<5>>, input<"m", features<3>, steps<4, "source">>,
          node<"keys", linear<3>, "m">, node<"all", mean_over<"source">, "keys">, node<"state", gru<3>, "x">,
          node<"y", attention<score::dot>, "state", "keys">, output<"y">, output<"all">>;
static_assert(holds<differentiation<handed_on, losses::mse<"z">, batch<2>>>());
static_assert(plan<differentiation<looked_up, losses::mse<"y">, batch<4>>>::has_tables &&
              holds<differentiation<looked_up, losses::mse<"y">, batch<4>>>());
static_assert(holds<streaming<decoder>>());

// The rows of a table that is multiplied have no memory, nor has their adjoint.
template <class Plan>
constexpr bool rows_have_memory(int gather) {
  const int e = Plan::net.operations[gather].out[0];
  return engine::memory_of<Plan>.value[e] >= 0 || engine::memory_of<Plan>.adjoint[e] >= 0;
}
static_assert(
    !rows_have_memory<plan<differentiation<looked_up, losses::mse<"y">, batch<4>>>>(0) &&
    rows_have_memory<plan<differentiation<looked_up, losses::mse<"y">, on<backend::reference>>>>(0));

// What pieces share is all that is packed, without the product of the table: 3 rows of 9 numbers.
template <class Plan>
constexpr long all_packed = []<int... O>(std::integer_sequence<int, O...>) {
  long sum = 0;
  const auto add = [&](const engine::operation_needs& needs) {
    for (long n : needs.packed) sum += n;
  };
  (add(Plan::template needs_of<O>()), ...);
  return sum;
}
(std::make_integer_sequence<int, Plan::net.operations.size>{});
static_assert(engine::memory_of<plan<differentiation<looked_up, losses::mse<"y">, batch<4>>>>.weights_size ==
              all_packed<plan<differentiation<looked_up, losses::mse<"y">, batch<4>>>> - 3 * 9);
static_assert(engine::memory_of<plan<inference<live>>>.weights_size == all_packed<plan<inference<live>>> &&
              all_packed<plan<inference<live>>> > 0);

// Memory is reused once its content is dead.
static_assert(engine::memory_of<plan<inference<lookup, batch<32>>>>.size <
              sum_of_regions<plan<inference<lookup, batch<32>>>>());
static_assert(engine::memory_of<plan<differentiation<lookup, losses::cross_entropy<"y">, batch<32>>>>.size *
                  5 <
              sum_of_regions<plan<differentiation<lookup, losses::cross_entropy<"y">, batch<32>>>>() * 4);

// Pairs of steps are computed one sequence after the other: eight more sequences take the memory of their x and their output, and none
// for the values of pairs.
using pairs =
    graph<"pairs", input<"x", features<8>, steps<32>>, node<"y", multi_head<8, 2>, "x">, output<"y">>;
template <int Batch>
inline constexpr long elements_of_pairs = engine::memory_of<plan<inference<pairs, batch<Batch>>>>.size;
static_assert(elements_of_pairs<16> - elements_of_pairs<8> == 8 * 2 * 32 * 8);
static_assert(elements_of_pairs<24> - elements_of_pairs<16> == 8 * 2 * 32 * 8);

// A session whose memory can be poisoned wherever no live value is.
template <class Session>
class poisoned : public Session {
  using Plan = plan<Session>;
  using T = typename Plan::scalar;

 public:
  void poison_everything() {
    std::fill(this->memory_.begin(), this->memory_.end(), std::numeric_limits<T>::quiet_NaN());
    std::fill(this->packed_.begin(), this->packed_.end(), std::numeric_limits<T>::quiet_NaN());
  }
  // Returns how many elements were unused between the forward and the backward pass.
  long poison_between() {
    constexpr int now = Plan::forward_time_point(Session::net.operations.size);
    return poison_all_but([](const engine::region& r) { return r.first <= now && now <= r.last; });
  }
  // The same between two steps of a stream: a value that is live from one step to the next is live all the time.
  long poison_between_steps() {
    return poison_all_but(
        [](const engine::region& r) { return r.first == 0 && r.last == Plan::last_time_point; });
  }

 private:
  template <class Kept>
  long poison_all_but(Kept is_kept) {
    const engine::memory<T> before = this->memory_;
    std::fill(this->memory_.begin(), this->memory_.end(), std::numeric_limits<T>::quiet_NaN());
    for (const engine::region& r : engine::memory_of<Plan>.regions)
      if (is_kept(r)) std::copy_n(before.data() + r.offset, r.size, this->memory_.data() + r.offset);
    return std::count_if(this->memory_.begin(), this->memory_.end(), [](T x) { return x != x; });
  }
};

const sample<lookup> rows({3, 0, 5}, 4);
const parameters<lookup> theta(seed{3});

TEST_CASE("what a run reads, it has written: inference") {
  inference<lookup, batch<4>> clean;
  poisoned<inference<lookup, batch<4>>> spoilt;
  spoilt.poison_everything();
  rows.feed(clean);
  rows.feed(spoilt);
  clean.run(theta);
  spoilt.run(theta);
  for (int r = 0; r < 3; ++r)
    for (int j = 0; j < 10; ++j) CHECK(get<"y">(spoilt)(r, j) == get<"y">(clean)(r, j));
  for (int r = 0; r < 3; ++r)
    for (int t = 0; t < 5; ++t) CHECK(get<"c.weights">(spoilt)(r, t, 0) == get<"c.weights">(clean)(r, t, 0));
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j) CHECK(get<"h.h_n">(spoilt)(k, 2, j) == get<"h.h_n">(clean)(k, 2, j));
}
TEST_CASE("what a run reads, it has written: forward and backward") {
  using session = differentiation<lookup, void, batch<4>, input_gradients>;
  parameters<lookup> expected(zeros{}), got(zeros{});
  session clean;
  poisoned<session> spoilt;
  spoilt.poison_everything();
  const auto forward = [](auto& run) {
    rows.feed(run);
    run.randomness({1}, 2);
    run.forward(theta);
  };
  const auto backward = [](auto& run, parameters<lookup>& gradients) {
    for (int r = 0; r < 3; ++r) output_adjoint<"y">(run)(r, r) += 1;
    output_adjoint<"c.weights">(run)(2, 1, 0) += 1;
    output_adjoint<"h.h_n">(run)(1, 2, 1) += 1;
    run.backward(theta, gradients);
  };
  forward(clean);
  backward(clean, expected);
  forward(spoilt);
  CHECK(spoilt.poison_between() > 0);
  backward(spoilt, got);
  for (int k = 0; k < parameters<lookup>::block_size; ++k)
    if (std::as_const(got).data()[k] != std::as_const(expected).data()[k])
      FAIL_CHECK("gradient differs at ", k);
  for (int r = 0; r < 3; ++r)
    for (int t = 0; t < 5; ++t)
      for (int j = 0; j < 7; ++j)
        CHECK(input_gradient<"x">(spoilt)(r, t, j) == input_gradient<"x">(clean)(r, t, j));
}
TEST_CASE("what a step reads, it has written, or its states hold: streaming") {
  const parameters<live> weights(seed{4});
  streaming<live, batch<2>> clean;
  poisoned<streaming<live, batch<2>>> spoilt;
  spoilt.poison_everything();
  for (int t = 0; t < 5; ++t) {
    const float at = static_cast<float>(t);
    const std::array<float, 6> x{0.5f, -at, 1, at, 0, -0.25f};
    const view<const float> expected = clean.step(weights, x), got = spoilt.step(weights, x);
    for (int r = 0; r < 2; ++r)
      for (int j = 0; j < 2; ++j) CHECK(got(r, j) == expected(r, j));
    CHECK(spoilt.poison_between_steps() > 0);
  }
}

}  // namespace tenon::test
