// Programs as template arguments: what is decoded computes the same, under no names.
#include "support/check_equation.hpp"
#include "support/equation.hpp"
#include <tenon/equation/encoding.hpp>
#include <tenon/equation/reverse.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>

using namespace tenon;
using namespace tenon::equations;
using namespace tenon::test;

namespace {

constexpr program nameless(program p) {
  for (symbol& s : p.symbols) s = {};
  return p;
}
template <program (*Make)()>
constexpr bool comes_back() {
  constexpr program p = Make();
  return decode(encode<encoded_size(p)>(p)) == nameless(p);
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
static_assert(comes_back<step<lstm_cell>>() && comes_back<step<gru_cell>>());
static_assert(comes_back<gradient<lstm_cell>>() && comes_back<gradient<gru_cell>>(), "effects, saved values");

// Numbers keep all their bits, sizes and positions may be large.
constexpr program with_numbers() {
  return program_of({70'000}, [](auto x) { return slice<30'000, 300>(tanh(x * 0.1) * -0.0 - 1e-300); });
}
static_assert(comes_back<with_numbers>());

// What it is called does not matter, what it computes does.
template <text Letter, int Size>
constexpr program product() {
  return program_of({Size}, [](auto x) { return W<Letter, 4>(x); });
}
constexpr bool same_code(const program& p, const program& q) {
  return encoded_size(p) == encoded_size(q) && encode<64>(p) == encode<64>(q);
}
static_assert(same_code(product<"W", 3>(), product<"other", 3>()));
static_assert(!same_code(product<"W", 3>(), product<"W", 2>()));

TEST_CASE("one other number in a program is another code") {
  const program p = step<lstm_cell>();
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
