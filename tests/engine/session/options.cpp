// Options of a session: a bound on the steps of an axis that is larger than the graph's.
#include "tenon/engine/session/options.hpp"

#include "support/graphs.hpp"
#include "support/sample.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/multi_head.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
using namespace nn;

namespace {
template <int Bound>
using attending =
    graph<"attending", input<"x", features<4>, steps<Bound>>, node<"y", multi_head<4, 2>, "x">, output<"y">>;
template <int Bound>
using showing = graph<"showing", input<"x", features<4>, steps<Bound>>, node<"y", multi_head<4, 2>, "x">,
                      output<"y">, output<"y.weights">>;
template <class G, class Option>
constexpr bool takes = !engine::unfit_option<G, void, engine::purpose::inference, Option>::wrong;
}  // namespace

TEST_CASE("a longer bound: where the steps are features that something reads, there is no room") {
  static_assert(takes<attending<3>, steps<5>>, "nothing reads the weights");
  static_assert(!takes<showing<3>, steps<5>> && takes<showing<3>, steps<2>>);

  const parameters<attending<3>> theta(seed{1});
  const parameters<attending<5>> same(seed{1});
  const sample<attending<5>> s({5, 4}, 2);
  inference<attending<3>, batch<2>, steps<5>> longer;
  inference<attending<5>, batch<2>> expected;
  const view<const double> x(s.numbers[0].data(), {2, 5, 4});
  const auto y = longer(theta, x), z = expected(same, x);
  REQUIRE(y.size() == z.size());
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t t = 0; t < 5; ++t)
      for (std::size_t j = 0; j < 4; ++j) CHECK(y(r, t, j) == z(r, t, j));
}

}  // namespace tenon::test
