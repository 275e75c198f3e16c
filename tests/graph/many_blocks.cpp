// A tower of equal blocks, with as many nodes as a graph can have, is laid out within the compilers' default evaluation limits: an equation
// is traced once.
#include "tenon/graph/graph.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

template <int Blocks>
struct tower {
  static constexpr int build(builder& b, const edges& in) {
    int x = in[0];
    for (int k = 0; k < Blocks && b.ok(); ++k) {
      ir::name block = "block";
      block.append(k);
      x = b.within(block.view(), [&] { return ir::build<transformer_encoder<16, 4, 32>>(b, edges{x}); });
    }
    return x;
  }
};
template <int Blocks>
using encoder =
    graph<"encoder", input<"x", features<16>, steps<8>>, node<"y", tower<Blocks>, "x">, output<"y">>;

static_assert(check<encoder<24>>());

TEST_CASE("blocks of one kind have the same programs, and parameters of their own") {
  constexpr auto& one = network_of<encoder<1>>;
  constexpr auto& many = network_of<encoder<24>>;
  CHECK(many.programs.size == one.programs.size);
  CHECK(many.operations.size == 24 * one.operations.size);
  CHECK(many.parameters.size == 24 * one.parameters.size);
  for (int o = 0; o < many.operations.size; ++o) {
    const ir::operation &first = one.operations[o % one.operations.size], &mine = many.operations[o];
    CHECK(mine.program == first.program);
    CHECK(mine.inner == first.inner);
    CHECK(mine.parameters.size == first.parameters.size);
    for (int k = 0; k < mine.out.size; ++k) {
      const ir::edge &expected = one.edges[first.out[k]], &got = many.edges[mine.out[k]];
      CHECK(got.size == expected.size);
      CHECK(got.axis == expected.axis);
    }
  }
}

struct twice {
  static constexpr auto at(auto x) { return x + x; }
};
struct summed {
  static constexpr auto at(auto x) { return sum<"time">(x); }
};
// Sources with other features, on other axes or on none: separate equations.
using mixed = graph<"mixed", input<"a", features<2>, steps<3>>, input<"b", features<2>, steps<3, "other">>,
                    input<"c", features<2>>, input<"d", features<5>>, node<"ya", twice, "a">,
                    node<"yb", twice, "b">, node<"yc", twice, "c">, node<"yd", twice, "d">,
                    node<"sa", summed, "ya">, output<"sa">, output<"yb">, output<"yc">, output<"yd">>;
TEST_CASE("an equation over sources that differ is traced for each") {
  constexpr auto& net = network_of<mixed>;
  const auto out = [&](int node) -> const ir::edge& { return net.edges[net.nodes[node].out]; };
  CHECK(net.axes[out(0).axis].name == "time");
  CHECK(net.axes[out(1).axis].name == "other");
  CHECK(out(2).axis < 0);
  CHECK(out(3).size == 5);
  CHECK(out(4).axis < 0);
}

}  // namespace tenon::test
