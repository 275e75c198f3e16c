#include "tenon/graph/draw.hpp"

#include <doctest/doctest.h>

#include "support/drawing.hpp"
#include "support/systems.hpp"

using namespace tenon;
using namespace tenon::nn;

namespace {
using inner = graph<"inner", input<"x", features<4>>, node<"wide", linear<6>, "x">, output<"wide">>;
using outer = graph<"outer", input<"x", features<4>>, node<"encoder", inner, "x">, node<"logits", linear<2>, "encoder">, output<"logits">>;

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
}  // namespace

TEST_CASE("DOT has a box for every input and node and a labelled line for every edge") {
  const std::string dot = io::to_dot<test::index_lookup>();
  CHECK(dot.find("digraph \"index_lookup\" {") == 0);
  CHECK(count(dot, " -> ") == 7);
  CHECK(dot.find("\"states\" -> \"context\" [label=\"[time 10, features 64]\"]") != std::string::npos);
  CHECK(dot.find("\"query\" -> \"context\" [label=\"[features 64]\"]") != std::string::npos);
  CHECK(dot.find("\"index\" -> \"query\" [label=\"[tokens 10]\"]") != std::string::npos);
}
TEST_CASE("second outputs leave from their node, nested nodes have paths") {
  CHECK(io::to_dot<test::surnames>().find("\"states\" -> \"logits\" [label=\"[features 100]\"]") != std::string::npos);
  const std::string dot = io::to_dot<outer>();
  CHECK(dot.find("\"x\" -> \"encoder.wide\"") != std::string::npos);
  CHECK(dot.find("\"encoder.wide\" -> \"logits\" [label=\"[features 6]\"]") != std::string::npos);
}

namespace {
// Similar names, an output with the name of a node, and a layer with quotes.
using alike = graph<"alike", input<"x", features<3>, steps<4>>,
                    node<"a", graph<"in it", input<"x", features<3>, steps<4>>, node<"b", linear<2>, "x">, output<"b">>, "x">,
                    node<"a_b", linear<2>, "x">, node<"output a", mean_over<"time">, "a_b">, output<"a">, output<"output a">>;
}  // namespace

TEST_CASE("each box is another, and quotes are no ends") {
  const std::string dot = io::to_dot<alike>(), chart = io::to_mermaid<alike>();
  CHECK(count(dot, "  \"output a\" [label=") == 1);
  CHECK(count(dot, "\"output a\" -> \".output a\"") == 1);
  CHECK(count(dot, "\"a.b\" -> \".a\"") == 1);
  CHECK(count(dot, "[label=\"output a\\nmean_over<\\\"time\\\">\"]") == 1);
  CHECK(count(chart, "  a_2eb[\"a.b<br>linear#lt;2#gt;\"]") == 1);
  CHECK(count(chart, "  a__b[\"a_b<br>linear#lt;2#gt;\"]") == 1);
  CHECK(count(chart, "mean_over#lt;#quot;time#quot;#gt;") == 1);
}
namespace {
// Layers with options of numbers and values, in chains that are longer than a name.
using spelled = graph<"spelled", input<"word", token<50>, steps<9>>,
                      node<"row", chain<embedding<50, 64, padding_idx<0>, initialized<"weight", init::normal(0, 0.3)>>, dropout<0.1>, sum_over<>>, "word">,
                      node<"logits", chain<linear<128>, activation::relu, dropout<0.35>, linear<10>>, "row">, output<"logits">>;
}  // namespace

TEST_CASE("a box has each layer of a chain on a line, whole, with numbers as they were written") {
  const std::string dot = io::to_dot<spelled>(), chart = io::to_mermaid<spelled>();
  CHECK(test::is_as_drawn("graph.dot", dot));
  CHECK(count(dot, "[label=\"logits\\nlinear<128>\\nrelu\\ndropout<0.35>\\nlinear<10>\"]") == 1);
  CHECK(count(dot, "\\nembedding<50, 64, padding_idx<0>, initialized<\\\"weight\\\", initializer{..}>>\\ndropout<0.1>\\nsum_over<>\"]") == 1);
  CHECK(count(chart, "<br>dropout#lt;0.35#gt;<br>linear#lt;10#gt;") == 1);
}
TEST_CASE("Mermaid draws the same edges") {
  const std::string chart = io::to_mermaid<test::index_lookup>();
  CHECK(chart.find("flowchart TD\n") == 0);
  CHECK(count(chart, " --> ") == 7);
  CHECK(chart.find("states -- \"[time 10, features 64]\" --> context") != std::string::npos);
}
