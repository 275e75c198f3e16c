// Inputs, nodes and outputs, built one by one: which edge each name means, which operations a node has, and the messages for names that
// mean none.
#include <tenon/graph/entries.hpp>
#include <tenon/nn/linear.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

using namespace tenon;
using namespace tenon::nn;

namespace {

struct doubled {
  static constexpr auto at(auto x) { return 2 * x; }
};
struct added {
  static constexpr auto at(auto x, auto y) { return x + y; }
};

// The mistake in these entries, one after the other, below `scope`.
template <class... Entries>
std::unique_ptr<builder> built(const ir::name& scope = {}) {
  auto b = std::make_unique<builder>();
  (detail::build_entry<Entries>(*b, scope), ...);
  return b;
}
template <class... Entries>
std::string refusal() {
  return std::string(explain(built<Entries...>()->wrong).view());
}

using x = input<"x", features<3>>;
using times = input<"times", features<3>, steps<5>>;
using words = input<"words", token<9>, steps<5>>;

}  // namespace

TEST_CASE("names mean edges, and nodes have the operations that they added") {
  const auto b = built<x, times, node<"a", doubled, "x">, node<"b", linear<4>, "times">,
                       node<"c", added, "x", "a">, output<"c">, output<"b">>();
  INFO(explain(b->wrong).view());
  REQUIRE(b->ok());
  const auto& net = b->net;
  REQUIRE(net.inputs.size == 2);
  CHECK(net.inputs[0] == b->find_output("x"));
  CHECK((*b)[net.inputs[0]].size == 3);
  CHECK(!(*b)[net.inputs[0]].is_sequence());
  CHECK((*b)[net.inputs[1]].is_sequence());
  REQUIRE(net.nodes.size == 3);
  int operations = 0, parameters = 0;  // each node's begin where those of the node before end
  for (const ir::node_record& n : net.nodes) {
    CHECK(n.first_operation == operations);
    CHECK(n.first_parameter == parameters);
    CHECK(n.last_operation > n.first_operation);
    operations = n.last_operation;
    parameters = n.last_parameter;
    CHECK(n.out == b->find_output(n.path));
    for (int k = n.first_parameter; k < n.last_parameter; ++k)
      CHECK(net.parameters[k].path.view().starts_with(n.path.view()));
  }
  CHECK(operations == net.operations.size);
  CHECK(parameters == net.parameters.size);
  CHECK(net.nodes[1].last_parameter - net.nodes[1].first_parameter == 2);  // a matrix and a bias
  CHECK(net.nodes[2].in[0] == net.inputs[0]);
  CHECK(net.nodes[2].in[1] == net.nodes[0].out);
  REQUIRE(net.outputs.size == 2);
  CHECK(net.outputs[0] == net.nodes[2].out);
  CHECK(net.outputs[1] == net.nodes[1].out);
  CHECK((*b)[net.outputs[1]].size == 4);
  CHECK((*b)[net.outputs[1]].axis == (*b)[net.inputs[1]].axis);
}

TEST_CASE("names of a nested graph are those below it") {
  const auto b = std::make_unique<builder>();
  b->within("outer", [&] {
    x::build(*b);
    node<"a", doubled, "x">::build(*b, "outer");
    return 0;
  });
  REQUIRE(b->ok());
  CHECK(b->find_output("outer.a") == b->net.nodes[0].out);
  CHECK(b->find_output("a") == -1);
  int first = -1;
  output<"a">::keep(*b, "outer", first);
  CHECK(first == b->net.nodes[0].out);
  output<"x">::keep(*b, "outer", first);
  CHECK(first == b->net.nodes[0].out);  // the first of its outputs
}

TEST_CASE("the input of a nested graph is an edge of the one around it, and must be alike") {
  const auto bound = [](auto part, ir::edge given) {
    const auto b = std::make_unique<builder>();
    if (given.axis == 0) b->add_axis({"time", 5});
    decltype(part)::bind(*b, b->add_edge(std::move(given)));
    if (b->ok()) CHECK(b->find_output(decltype(part)::called) == 0);
    return std::string(explain(b->wrong).view());
  };
  const std::string agree = "; the nested graph's input and its source must agree";
  CHECK(bound(x{}, {.path = "e", .size = 3}) == "");
  CHECK(bound(times{}, {.path = "e", .size = 3, .axis = 0}) == "");
  CHECK(bound(words{}, {.path = "e", .range = 9, .axis = 0}) == "");
  CHECK(bound(x{}, {.path = "e", .size = 4}) ==
        "node 'x': the input expects 3 features, got 4 from 'e'" + agree);
  CHECK(bound(words{}, {.path = "e", .range = 8, .axis = 0}) ==
        "node 'words': the input expects 9 tokens, got 8 from 'e'" + agree);
  CHECK(bound(x{}, {.path = "e", .range = 9}) ==
        "node 'x': the input expects numbers, got tokens from 'e'" + agree);
  CHECK(bound(words{}, {.path = "e", .size = 3, .axis = 0}) ==
        "node 'words': the input expects tokens, got numbers from 'e'" + agree);
  CHECK(bound(input<"t", features<3>, steps<6>>{}, {.path = "e", .size = 3, .axis = 0}) ==
        "node 't': the input expects 6 steps, got 5 from 'e'" + agree);
  CHECK(bound(x{}, {.path = "e", .size = 3, .axis = 0})
            .starts_with("node 'x': the input expects one row, got a sequence"));
  CHECK(bound(times{}, {.path = "e", .size = 3}).starts_with("node 'times': the input expects a sequence"));
  CHECK(bound(x{}, {.path = "e", .size = 3, .layers = 2}) ==
        "node 'x': the input expects 1 layer, got 2 from 'e'" + agree);
}

TEST_CASE("what is refused") {
  const auto starts = [](const std::string& whole, const char* part) {
    INFO(whole);
    CHECK(whole.starts_with(part));
  };
  starts(refusal<x, x>(), "node 'x': two entries have this name");
  starts(refusal<x, node<"x", doubled, "x">>(), "node 'x': two entries have this name");
  starts(refusal<input<"", features<3>>>(), "an entry has no name");
  starts(refusal<input<"x.y", features<3>>>(), "node 'x.y': a name has a '.'");
  starts(refusal<input<"x">>(), "node 'x': the input says neither token<range> nor features<size>");
  starts(refusal<input<"x", features<3>, token<3>>>(),
         "node 'x': the input says both token<range> and features<size>");
  starts(refusal<input<"x", features<3>, steps<3>, steps<3>>>(),
         "node 'x': the input says twice which axis it has");
  starts(refusal<x, node<"y", doubled, "z">>(), "node 'y': no entry above is named 'z'");
  starts(refusal<x, output<"y">>(), "the output 'y' is not an entry of the graph");
  starts(refusal<x, node<"y", doubled, "x">, output<"y">, output<"y">>(), "two outputs are named 'y'");
  starts(refusal<words, output<"words">>(),
         "the output 'words' holds tokens, which a session returns only as inputs");
  CHECK(refusal<x, doubled>().find("doubled' is not an entry of a graph; its entries: input<..>") !=
        std::string::npos);
  // The first mistake is reported, and nothing is built after it.
  CHECK(built<x, output<"y">, node<"z", doubled, "x">>()->net.nodes.size == 0);
}

TEST_CASE("an entry that comes below the one that names it") {
  const auto below = [](auto late, ir::characters reader, const char* where) {
    const auto b = std::make_unique<builder>();
    b->missing.append("late");
    b->fail({.rule = "no entry above is named 'late'", .fix = "did you mean 'latter'?"});
    b->wrong.where = ir::name(where);
    detail::look_below<decltype(late)>(*b, reader);
    return std::string(b->wrong.rule.view());
  };
  using late = node<"late", doubled, "x">;
  CHECK(below(late{}, "y", "y") == "its source 'late' is declared below it");
  CHECK(below(late{}, "x", "x") == "it reads 'late', which reads it in turn: a cycle");
  CHECK(below(late{}, "late", "late") == "it reads itself: a cycle");
  CHECK(below(late{}, "", "") == "the output 'late' is declared above its node");
  CHECK(below(node<"other", doubled, "x">{}, "y", "y") == "no entry above is named 'late'");
}
