// Which axes the sources of an equation have, step by step and seen whole, and the messages for axes that do not fit together.
#include <tenon/graph/builder.hpp>
#include <tenon/graph/meeting_axes.hpp>

#include <doctest/doctest.h>

#include <memory>

namespace tenon::test {

// Sequences "a" and "b" along the axis source, "c" along target, "d" along a third; "v" has no axis.
struct some_sources {
  std::unique_ptr<ir::builder> all = std::make_unique<ir::builder>();
  int source = all->time_axis_of("source", 5), target = all->time_axis_of("target", 7),
      third = all->time_axis_of("third", 3);
  int a = all->add_edge({.path = "a", .size = 2, .axis = source});
  int b = all->add_edge({.path = "b", .size = 2, .axis = source});
  int c = all->add_edge({.path = "c", .size = 2, .axis = target});
  int d = all->add_edge({.path = "d", .size = 2, .axis = third});
  int v = all->add_edge({.path = "v", .size = 2});
};

TEST_CASE("the first axis is that of the steps, another one is seen whole") {
  const some_sources x;
  const auto& net = x.all->net;
  CHECK(ir::meet(net, {x.v}).time == -1);
  const ir::meeting_axes one = ir::meet(net, {x.v, x.a, x.b});
  CHECK(one.time == x.source);
  CHECK(one.inner == -1);
  const ir::meeting_axes two = ir::meet(net, {x.c, x.a, x.c});
  CHECK(two.time == x.target);
  CHECK(two.inner == x.source);
  CHECK(!two.wrong);

  const ir::input_axes traced = ir::input_axes_of(net, {x.c, x.a, x.v}, two);
  CHECK(traced.time == ir::label("target"));
  CHECK(traced.time_bound == 7);
  CHECK(traced.inner == ir::label("source"));
  CHECK(traced.inner_bound == 5);
  REQUIRE(traced.varies.size == 3);
  CHECK(traced.varies[0] == ir::domain::rows);
  CHECK(traced.varies[1] == ir::domain::inner);
  CHECK(traced.varies[2] == ir::domain::batch);
}

TEST_CASE("what each step sees has one axis") {
  const some_sources x;
  const auto& net = x.all->net;
  const ir::meeting_axes seen = ir::meet_inside(net, {x.a, x.v, x.b});
  CHECK(seen.inner == x.source);
  CHECK(seen.time == -1);
  CHECK(!seen.wrong);
  // Without a sequence everything seen is the same at every step. The list says so, since an empty list means the opposite.
  const ir::input_axes vector = ir::input_axes_of(net, {x.v}, ir::meet_inside(net, {x.v}));
  REQUIRE(vector.varies.size == 1);
  CHECK(vector.varies[0] == ir::domain::batch);
}

TEST_CASE("the source that does not fit is named") {
  const some_sources x;
  const auto& net = x.all->net;
  CHECK(ir::meet(net, {x.a, x.c, x.d}).wrong.source == ir::name("d"));
  CHECK(ir::meet_inside(net, {x.a, x.c}).wrong.source == ir::name("c"));
}

}  // namespace tenon::test
