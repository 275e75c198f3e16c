// Programs and kernels as template arguments: a decoded program computes the same, without names and places.
#include "support/check_equation.hpp"
#include "support/equation.hpp"
#include "support/letters.hpp"
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/lowering/stage.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>
#include <tenon/program/encoding.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr program nameless(program p) {
  for (symbol& s : p.symbols) s = {};
  return p;
}
template <program (*Make)()>
constexpr bool comes_back() {
  constexpr program p = Make();
  return decode<program>(encode<encoded_size(p)>(p)) == nameless(p);
}
template <class C>
constexpr program step() {
  return trace_step<C>(5, 3).equations;
}
template <class C>
constexpr program gradient() {
  list<bool, max_program_inputs> wanted;
  for (int i = 0; i < step<C>().inputs.size; ++i) wanted.add(true);
  return split(reverse(step<C>(), wanted, {})).backward;
}
static_assert(comes_back<step<nn::cells::lstm>>() && comes_back<step<nn::cells::gru>>());
static_assert(comes_back<gradient<nn::cells::lstm>>() && comes_back<gradient<nn::cells::gru>>(),
              "effects, saved values");

// Numbers keep all their bits, sizes and positions may be large.
constexpr program with_numbers() {
  return program_of({70'000}, [](auto x) { return slice<30'000, 300>(tanh(x * 0.1) * -0.0 - 1e-300); });
}
static_assert(comes_back<with_numbers>());

// Names do not matter for equality, only what is computed.
template <text Letter, int Size>
constexpr program product() {
  return program_of({Size}, [](auto x) { return W<Letter, 4>(x); });
}
constexpr bool same_code(const program& p, const program& q) {
  return encoded_size(p) == encoded_size(q) && encode<64>(p) == encode<64>(q);
}
static_assert(same_code(product<"W", 3>(), product<"other", 3>()));
static_assert(!same_code(product<"W", 3>(), product<"W", 2>()));

// A kernel keeps everything except the places of its operands.
template <class C, int Input>
constexpr schedule staged() {
  carried_pairs carried;
  carried.add({1, 1});
  carried.add({2, 2});
  return with_stages(make_schedule(group_products(trace_step<C>(Input, 3).equations), carried),
                     {.sums = 16, .weights = 1 << 20}, {.sums = 16, .weights = 1 << 20});
}
template <int Input>
constexpr stage_body kernel_of_loop() {
  constexpr schedule s = staged<nn::cells::lstm, Input>();
  for (int k = 0; k < s.kernels.size; ++k)
    if (s.kernels[k].kind == kernel_kind::map && s.kernels[k].when == phase::loop) return stage_of(s, k);
  return {};
}
constexpr stage_body given = kernel_of_loop<5>();
constexpr stage_body again = decode<stage_body>(encode<encoded_size(given)>(given));

static_assert(again.body.width == 3 && again.body.code == given.body.code && given.body.code.size > 10);
static_assert([] {
  if (again.body.loads.size != given.body.loads.size || again.body.stores.size != given.body.stores.size)
    return false;
  for (int l = 0; l < given.body.loads.size; ++l) {
    const map_load &a = again.body.loads[l], &b = given.body.loads[l];
    if (a.broadcast != b.broadcast || a.invariant != b.invariant || a.sum != b.sum || a.packed != b.packed)
      return false;
    if (a.from.in != space::none) return false;
  }
  for (int n = 0; n < given.body.stores.size; ++n) {
    const map_store &a = again.body.stores[n], &b = given.body.stores[n];
    if (a.local != b.local || a.reduction != b.reduction || a.adds != b.adds || a.over_steps != b.over_steps)
      return false;
    if (a.to.in != space::none) return false;
  }
  return true;
}());
static_assert(again.products.size == 1 && given.products.size == 1 && again.products[0].depth == 3 &&
              again.products[0].columns == given.products[0].columns &&
              again.products[0].sums == given.products[0].sums);
static_assert(again.sums == given.sums && again.packed == given.packed && again.others == given.others);

// Layers with other input sizes have the same loop.
constexpr stage_body deeper = kernel_of_loop<70>();
static_assert(encoded_size(deeper) == encoded_size(given) && encode<64>(deeper) == encode<64>(given));

TEST_CASE("every number of a kernel makes another code") {
  const auto same = [](const stage_body& s) {
    return encoded_size(s) == encoded_size(given) && encode<64>(s) == encode<64>(given);
  };
  const auto with = [&](auto change) {
    stage_body s = given;
    change(s);
    return same(s);
  };
  CHECK(with([](stage_body&) {}));
  CHECK(with([](stage_body& s) {
    s.body.loads[0].from.index += 1;
    s.body.stores[0].to.column += 1;
  }));
  CHECK_FALSE(with([](stage_body& s) { s.body.width += 1; }));
  CHECK_FALSE(with([](stage_body& s) { s.one_row = !s.one_row; }));
  CHECK_FALSE(with([](stage_body& s) { s.others += 1; }));
  CHECK_FALSE(with([](stage_body& s) { s.body.loads[0].broadcast = !s.body.loads[0].broadcast; }));
  CHECK_FALSE(with([](stage_body& s) { s.body.loads[0].invariant = !s.body.loads[0].invariant; }));
  CHECK_FALSE(with([](stage_body& s) { s.body.stores[0].adds = !s.body.stores[0].adds; }));
  CHECK_FALSE(with([](stage_body& s) { s.body.stores[0].over_steps = !s.body.stores[0].over_steps; }));
  CHECK_FALSE(with([](stage_body& s) { s.products[0].depth += 1; }));
  CHECK_FALSE(with([](stage_body& s) { s.products[0].columns[1] += 1; }));
  CHECK_FALSE(with([](stage_body& s) { s.products[0].sums[1] += 1; }));
}

TEST_CASE("one other number in a program is another code") {
  const program p = step<nn::cells::lstm>();
  for (int k = 0; k < p.code.size; ++k) {
    program q = p;
    q.code[k].number += 1;
    CHECK(!same_code(p, q));
    q = p;
    q.code[k].size += 1;
    CHECK(!same_code(p, q));
    q = p;
    q.code[k].c = static_cast<short>(k);
    CHECK(!same_code(p, q));
  }
}

}  // namespace
