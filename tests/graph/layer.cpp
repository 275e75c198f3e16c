// What may be in a node: a layer, an equation, and nothing else.
#include "tenon/graph/layer.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace tenon::inline v0_1::ir {

namespace {

struct twice {
  static constexpr auto at(auto x) { return 2 * x; }
};
struct doubled {
  static constexpr int build(builder& b, const edges& in) {
    return b.apply(trace_at<twice>(sizes{b[in[0]].size}), in, {}, {});
  }
};
struct scaled : equations::symbols {
  static constexpr auto at(auto x, auto y) { return x * y * vector<"w">; }
  static constexpr start_value starts[]{{"w", init::constant(1)}};
};
struct nothing {};
struct cell {
  static constexpr auto step(auto x, auto h) { return next(x + h); }
};

static_assert(Layer<doubled> && Node<doubled> && !Layer<scaled> && Node<scaled>);
static_assert(!Node<nothing> && !Node<cell> && !Node<int>);

// An edge of `size` features.
int edge_of(builder& b, int size) { return b.add_edge({.path = "x", .size = size}); }

}  // namespace

TEST_CASE("a layer builds itself, an equation is traced") {
  const auto b = std::make_unique<builder>();
  const int x = edge_of(*b, 3);
  CHECK((*b)[build<doubled>(*b, {x})].size == 3);
  const int y = build<scaled>(*b, {x, x});
  REQUIRE(b->ok());
  CHECK((*b)[y].size == 3);
  REQUIRE(b->net.parameters.size == 1);
  CHECK(b->net.parameters[0].rows == 3);
  CHECK(b->net.parameters[0].start == init::constant(1));  // not as a linear map's weights
}

TEST_CASE("what stands in no node") {
  const auto refused = []<class T>(const T&, int sources) {
    const auto b = std::make_unique<builder>();
    edges in;
    for (int k = 0; k < sources; ++k) in.add(edge_of(*b, 3));
    CHECK(build<T>(*b, in) == -1);
    return b->wrong.rule;
  };
  CHECK(refused(cell{}, 1) == "a cell is used where a layer is needed");
  CHECK(refused(nothing{}, 1).view().find("is neither a layer nor an equation") != characters::npos);
  CHECK(refused(scaled{}, 1).view().starts_with("the equation takes"));
}

TEST_CASE("an equation that does not compile is told where its letters are") {
  CHECK(detail::mend<nothing>("mend it: ", "") == "mend it: W, U, V and b are members of equations::symbols");
  CHECK(detail::mend<scaled>("", "") == "W, U, V and b are its letters, and a W of your own is ::W");
  CHECK(detail::mend<int>("", "otherwise") == "otherwise");
  CHECK(detail::mend<doubled>("", "otherwise") == "otherwise");
}

TEST_CASE("an equation takes numbers") {
  const auto b = std::make_unique<builder>();
  const int tokens = b->add_edge({.path = "t", .range = 5});
  CHECK(build<scaled>(*b, {tokens, tokens}) == -1);
  CHECK(b->wrong.rule == "the equation expects numbers, got tokens");
}

}  // namespace tenon::inline v0_1::ir
