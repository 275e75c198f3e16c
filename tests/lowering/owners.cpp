// Owners: outputs and parts of a concat that already have another owner are copied.
#include <tenon/equation/trace.hpp>
#include <tenon/lowering/owners.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

template <class Equation, int... Features>
constexpr int copies() {
  const program p = ir::detail::give_places_owners(trace_at<Equation>(sizes{Features...}).equations);
  int n = 0;
  for (const instruction& i : p.code) n += i.code == op::copy;
  return n;
}

struct computed {
  static constexpr auto at(auto x) { return tanh(x); }
};
struct parts {  // of inputs
  static constexpr auto at(auto x, auto y) { return concat(x, tanh(y)); }
};
struct twice {  // the same part
  static constexpr auto at(auto x) {
    const auto y = tanh(x);
    return concat(y, y);
  }
};
struct nested {
  static constexpr auto at(auto x, auto y) { return concat(concat(tanh(x), exp(x)), tanh(y)); }
};
static_assert(copies<computed, 3>() == 0, "an output that is computed is written where it is wanted");
static_assert(copies<parts, 3, 2>() == 1, "an input stands elsewhere");
static_assert(copies<twice, 3>() == 1);
static_assert(copies<nested, 3, 2>() == 0);

}  // namespace

TEST_CASE("every output has an instruction of its own") {
  program p = trace_at<computed>(sizes{3}).equations;
  p.outputs.add(p.outputs[0]), p.outputs.add(p.input_value(0));
  const program q = ir::detail::give_places_owners(p);
  REQUIRE(q.outputs.size == 3);
  CHECK(q.outputs[0] != q.outputs[1]);
  CHECK(q.code[q.outputs[1]].code == op::copy);
  CHECK(q.code[q.outputs[2]].code == op::copy);
  CHECK(q.code[q.code[q.outputs[2]].a].code == op::input);
}
