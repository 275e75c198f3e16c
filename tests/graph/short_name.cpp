// A graph under a short name: `struct g : graph<...> {}` is a graph like its alias, and its symbols are short.
#include "tenon/engine/session/session.hpp"
#include "tenon/meta/type_name.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;

namespace {

using alias = graph<"block", input<"x", features<4>>, node<"hidden", linear<4>, "x">, node<"y", activation::tanh, "hidden">, output<"y">>;
struct block : graph<"block", input<"x", features<4>>, node<"hidden", linear<4>, "x">, node<"y", activation::tanh, "hidden">, output<"y">> {};
struct around : graph<"around", input<"x", features<4>>, node<"inner", block, "x">, node<"sum", add, "inner", "x">, output<"sum">> {};
struct no_graph {};

static_assert(concepts::Graph<alias> && concepts::Graph<block> && concepts::Graph<around> && !concepts::Graph<no_graph> && !concepts::Graph<int>);
static_assert(check<block>() && check<around>());
static_assert(network_of<around>.find_parameter("inner.hidden.weight") >= 0);
static_assert(type_name<block>().size < type_name<alias>().size);

TEST_CASE("a derived graph runs as its alias does") {
  const float x[]{0.5f, -1, 2, 0.25f};
  parameters<alias> first(seed{3});
  parameters<block> second(seed{3});
  inference<alias> run_first;
  inference<block> run_second;
  const auto y = run_first(first, x), z = run_second(second, x);
  for (std::size_t j = 0; j < 4; ++j) CHECK(y(0, j) == z(0, j));
}

}  // namespace
