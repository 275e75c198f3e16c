// The builder: names are found, the first problem is kept, and a graph that is too large is a problem.
#include <tenon/graph/builder.hpp>

#include <doctest/doctest.h>

#include <memory>

using namespace tenon;
using namespace tenon::ir;

TEST_CASE("names below names") {
  const auto b = std::make_unique<builder>();
  b->within("states", [&] {
    b->name_output("h_n", 1);
    b->name_output("", 0);
    CHECK(b->here() == "states");
    return 0;
  });
  CHECK(b->here().empty());
  CHECK(b->find_output("states.h_n") == 1);
  CHECK(b->find_output("states") == 0);
  CHECK(b->find_output("state") == -1);
  CHECK(b->names.has("states"));
  CHECK(b->names.suggest({}, "states.hn", "none") == "did you mean 'states.h_n'?");
}

TEST_CASE("the first problem is kept") {
  const auto b = std::make_unique<builder>();
  CHECK(b->ok());
  CHECK(b->fail({.rule = "first"}) == -1);
  CHECK(b->fail({.rule = "second"}) == -1);
  CHECK(!b->ok());
  CHECK(b->wrong.rule == "first");
}

TEST_CASE("what nobody reads") {
  const auto b = std::make_unique<builder>();
  b->name_output("x.h_n", 0);
  b->name_output("x", 0);
  b->name_output("y", 0);
  b->find_output("x.h_n");
  b->find_output("y");
  b->require_use(0, {});
  CHECK(b->ok());         // reading a second output uses its node
  b->require_use(0, {});  // uses are forgotten after a check
  CHECK(explain(b->wrong) ==
        explanation("node 'x': nothing reads it; name it in a node or an output, or remove it"));
}

TEST_CASE("a graph that is too large") {
  const auto b = std::make_unique<builder>();
  for (int k = 0; k <= b->net.edges.capacity; ++k) b->add_edge({.size = 1});
  CHECK(b->wrong.rule.view().starts_with("the graph has more than"));
}

TEST_CASE("one axis has one bound") {
  for (const int other : {5, 7}) {
    const auto b = std::make_unique<builder>();
    const int axis = b->time_axis_of("time", 6);
    CHECK(b->time_axis_of("time", 6) == axis);
    CHECK(b->time_axis_of("source", other) != axis);
    CHECK(b->ok());
    b->time_axis_of("time", other);
    CHECK_FALSE(b->ok());
    CHECK(b->wrong.expected == 6);
    CHECK(b->wrong.got == other);
  }
}
