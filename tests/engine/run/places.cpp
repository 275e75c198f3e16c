// The addresses of an operation's edges and of its own memory, on arrays of the test's own.
#include "tenon/engine/run/places.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <set>
#include <vector>

namespace tenon::inline v0_1::engine {

namespace {

// An operation with two inputs, one output and regions of two kinds, in a block of numbers that are their own indices.
struct operation_in_memory {
  std::vector<double> block = std::vector<double>(4096), packed = std::vector<double>(4096);
  const edge_place in[2]{{.at = 10, .row = 3, .step = 30}, {.at = 2}},
      out[1]{{.at = 100, .row = 2, .step = 8}}, adjoint[1]{{.at = 200, .row = 2, .step = 8}},
      contribution[1]{{.at = 300, .row = 3}}, sum[1]{{.at = 400, .row = 3}};
  const int regions[4]{1, 2, 5, 9}, lines[2]{3, 4};
  const int words[3]{7, 8, 9}, targets[3]{1, 0, 1};
  const int* const tokens[3]{nullptr, targets, words};
  const int steps[2]{6, 4}, full[2]{2, 4};
  const int lengths[3]{6, 2, 3};
  const int* const lengths_of_axes[2]{lengths, nullptr};
  run_context<double> context{};
  operation_places own{};
  operation_in_memory() {
    std::iota(block.begin(), block.end(), 0);
    context.memory.values = block.data();
    context.memory.packed = packed.data();
    context.inputs.tokens = tokens;
    context.inputs.steps = steps;
    context.inputs.full_steps = full;
    context.inputs.lengths = lengths_of_axes;
    own.axis[0] = 0;
    own.axis[1] = -1;
    own.in = in;
    own.out = out;
    own.adjoint = adjoint;
    own.contribution = contribution;
    own.sum = sum;
    own.tokens = 1;
    own.regions = regions;
    own.first[static_cast<int>(region_kind::saved)] = 0;
    own.first[static_cast<int>(region_kind::state)] = 2;
    own.packed = lines;
  }
  places<double> at() { return {context, own}; }
};

}  // namespace

TEST_CASE("edges are at their offsets, with their strides") {
  operation_in_memory m;
  const auto p = m.at();
  CHECK(*p.in(0).data == 10);
  CHECK(p.in(0).row == 3);
  CHECK(p.in(0).step == 30);
  CHECK(*p.out(0).data == 100);
  CHECK(*p.adjoint(0).data == 200);
  CHECK(*p.contribution(0).data == 300);
  CHECK(*p.sum(0).data == 400);
  CHECK(p.tokens() == m.targets);  // of the operation
  CHECK(p.tokens(1) == m.words);   // of its second input, whose offset is the number of its edge
}
TEST_CASE("regions are found by their kind, in lines of memory") {
  operation_in_memory m;
  const auto p = m.at();
  const double line = static_cast<double>(elements_of_lines(1));
  CHECK(*p.at(region_kind::saved) == 1 * line);
  CHECK(*p.at(region_kind::saved, 1) == 2 * line);
  CHECK(*p.at(region_kind::state) == 5 * line);
  CHECK(*p.at(region_kind::state, 1) == 9 * line);
  CHECK(p.packed_weight(1) == m.packed.data() + elements_of_lines(4));
  operation_in_memory other;
  CHECK(p.at(other.context, region_kind::state) == other.block.data() + elements_of_lines(5));
}
TEST_CASE("steps and lengths are those of its axis; without one there is one step") {
  operation_in_memory m;
  const auto p = m.at();
  CHECK(p.steps() == 6);
  CHECK(p.full_steps() == 2);
  CHECK(p.lengths() == m.lengths);
  CHECK(p.steps(dimension::inner) == 1);
}
TEST_CASE("an operation that runs along no axis has one step, whatever the axes of the others") {
  operation_in_memory m;
  m.own = {};
  CHECK(m.at().steps() == 1);
  CHECK(m.at().steps(dimension::inner) == 1);
}
TEST_CASE("the adjoint of an output is the caller's, if it gives one") {
  operation_in_memory m;
  CHECK(*m.at().output_adjoint().data == 200);
  const double callers[1]{0.5};
  std::array<operand<const double>, 2> given{};
  m.own.output = 1;
  m.context.memory.given_adjoints = given.data();
  CHECK(*m.at().output_adjoint().data == 200);
  given[1] = {callers, 4, 5};
  CHECK(*m.at().output_adjoint().data == 0.5);
  CHECK(m.at().output_adjoint().step == 5);
}
TEST_CASE("windows go over the steps of a sequence, or over a grid") {
  operation_in_memory m;
  window_places windows{.source_axis = 1};
  m.own.windows = &windows;
  CHECK_FALSE(m.at().is_over_grid());
  CHECK(m.at().windows_over().width == 4);
  windows.grid = {3, 5};
  CHECK(m.at().is_over_grid());
  CHECK(m.at().windows_over().height == 3);
}

// Two layers, each of two directions: the final states are layers of one edge, what a layer gives to the next are columns of one.
using two_layers =
    graph<"two layers", input<"x", features<2>, steps<3>>,
          node<"h", nn::rnn<3, layers<2>, nn::bidirectional>, "x">, output<"h">, output<"h.h_n">>;
template <class Plan>
std::set<long> numbers_of(int e) {
  const edge& of = Plan::net.edges[e];
  const edge_place first = detail::placement<Plan>::value(e);
  std::set<long> all;
  for (int layer = 0; layer < of.layers; ++layer)
    for (int row = 0; row < Plan::batch; ++row)
      for (int column = 0; column < of.size; ++column)
        all.insert(first.at + long(layer * Plan::batch + row) * long(first.row) + column);
  return all;
}
TEST_CASE("the parts of an edge are in its memory, and together they are all of it") {
  using plan = inference<two_layers, batch<4>>::plan;
  int wholes = 0;
  for (int e = 0; e < plan::net.edges.size; ++e) {
    std::set<long> of_parts;
    for (int part = 0; part < plan::net.edges.size; ++part)
      if (plan::net.edges[part].whole == e) of_parts.merge(numbers_of<plan>(part));
    if (of_parts.empty()) continue;
    ++wholes;
    CHECK((of_parts == numbers_of<plan>(e)));
  }
  CHECK(wholes == 3);
}

// Tables that the first two operations look up, and windows over what the second found, against sums written out.
TEST_CASE("an operation finds its tokens, its table and its windows") {
  constexpr int entries = 11, features = 2, channels = 3, span = 3, rows = 2, bound = 5;
  using words = graph<"words", input<"tag", token<7>, steps<bound>>,
                      input<"word", token<entries>, steps<bound>>, node<"of_tag", nn::embedding<7, 3>, "tag">,
                      output<"of_tag">, node<"e", nn::embedding<entries, features>, "word">,
                      node<"y", nn::conv1d<channels, span, nn::padding<1>>, "e">, output<"e">, output<"y">>;
  using session = inference<words, batch<rows>, on<backend::reference>, scalar_type<double>>;
  const parameters<words, double> theta(seed{5});
  const std::vector<std::vector<int>> tokens{{10, 3, 0, 7, 3}, {4, 9, 1}};
  const std::vector<std::vector<int>> tags{{6, 0, 2, 5, 1}, {3, 3, 4}};
  session run;
  set_input<"tag">(run, tags);
  set_input<"word">(run, tokens);
  run.run(theta);
  const auto table = get<"e.weight">(theta), table_of_tags = get<"of_tag.weight">(theta),
             weight = get<"y.weight">(theta);
  const auto bias = get<"y.bias">(theta);
  const auto found = get<"e">(run), of_tag = get<"of_tag">(run), y = get<"y">(run);
  for (int r = 0; r < rows; ++r) {
    const std::vector<int>& of_row = tokens[std::size_t(r)];
    const int length = int(of_row.size());
    for (int t = 0; t < length; ++t) {
      for (int j = 0; j < 3; ++j)
        CHECK(of_tag(r, t, j) == table_of_tags(tags[std::size_t(r)][std::size_t(t)], j));
      for (int j = 0; j < features; ++j) CHECK(found(r, t, j) == table(of_row[std::size_t(t)], j));
      for (int c = 0; c < channels; ++c) {
        double expected = bias(c);
        for (int k = 0; k < span; ++k)
          if (const int from = t + k - 1; 0 <= from && from < length)
            for (int j = 0; j < features; ++j)
              expected += weight(c, k * features + j) * table(of_row[std::size_t(from)], j);
        CHECK(y(r, t, c) == doctest::Approx(expected).epsilon(1e-13));
      }
    }
  }
}

}  // namespace tenon::inline v0_1::engine
