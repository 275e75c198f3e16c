// What a layer requires of its edges: a problem exactly if it is not met, with the message that a user reads.
#include <tenon/graph/required_edges.hpp>

#include <doctest/doctest.h>

#include <string>

namespace tenon::test {

std::string words(const ir::problem& p) { return std::string(ir::explain(p).view()); }

const ir::edge row{.path = "row", .size = 4}, word{.path = "word", .range = 9},
    steps{.path = "steps", .size = 4, .axis = 1}, words_in_steps{.path = "words", .range = 9, .axis = 0},
    stack{.path = "states.h_n", .size = 4, .layers = 2};

TEST_CASE("so many sources") {
  for (int least = 0; least < 4; ++least)
    for (int most = least; most < 5; ++most)
      for (int got = 0; got < 7; ++got) {
        const ir::problem p = ir::unfit_count_of_sources(got, least, most, "a layer", "mend it");
        // The message asks for the nearest number that is allowed.
        int nearest = least;
        for (int n = least; n <= most; ++n)
          if (n - got == 0 || (n < got && n > nearest)) nearest = n;
        CHECK(bool(p) == (nearest != got));
        if (p) CHECK(p.expected == nearest);
        if (p) CHECK(p.got == got);
      }
  CHECK(words(ir::unfit_count_of_sources(1, 2, 2, "attention", "name both")) ==
        "attention takes 2 sources, got 1; name both");
  CHECK(words(ir::unfit_count_of_sources(1, 2, 3, "attention", "name more")) ==
        "attention takes at least 2 sources, got 1; name more");
  CHECK(words(ir::unfit_count_of_sources(3, 1, 2, "attention", "join them")) ==
        "attention takes at most 2 sources, got 3; join them");
  CHECK(words(ir::unfit_count_of_sources(0, 1, 1, "linear", "join them")) ==
        "linear takes 1 source, got 0; list its sources: node<\"y\", layer, \"x\">");
}

TEST_CASE("numbers, in one row") {
  for (const ir::edge& e : {row, steps}) CHECK(!ir::unfit_numbers(e, "linear"));
  CHECK(words(ir::unfit_numbers(word, "linear")) ==
        "linear expects numbers, got tokens from 'word'; put an embedding<vocabulary, width> before it");
  CHECK(words(ir::unfit_numbers(words_in_steps, "linear")).find("tokens from 'words'") != std::string::npos);
  CHECK(words(ir::unfit_numbers(stack, "linear")) ==
        "linear expects one row, got a stack of layers from 'states.h_n'; take the last layer's state: "
        "'.final'");
  CHECK(words(ir::unfit_numbers({.path = "z", .size = 4, .layers = 2}, "linear")) ==
        "linear expects one row, got a stack of layers from 'z'; leave layers<n> out of the input: it is for "
        "initial states");
}

TEST_CASE("a sequence, or none: one of both is always right") {
  for (const ir::edge& e : {row, word, steps, words_in_steps, stack}) {
    const bool is_sequence = e.path == steps.path || e.path == words_in_steps.path;
    CHECK(bool(ir::unfit_sequence(e, false, "lstm")) == !is_sequence);
    CHECK(bool(ir::unfit_single_row(e, "lstm")) == is_sequence);
  }
  CHECK(words(ir::unfit_sequence(row, true, "lstm")) ==
        "lstm expects a sequence, got one row without a time axis from 'row'; give the input a steps<bound>");
  CHECK(words(ir::unfit_sequence(row, false, "lstm")) ==
        "lstm expects a sequence, got one row without a time axis from 'row'; name a source that "
        "keeps the steps of an input with steps<bound>");
  CHECK(words(ir::unfit_single_row(steps, "linear")) ==
        "linear expects one row, got a sequence from 'steps'; reduce the time axis first: attention, or the "
        "'.final' "
        "state of a recurrent layer");
}

TEST_CASE("so many features") {
  for (int size = 1; size < 9; ++size)
    CHECK(bool(ir::unfit_size(row, size, "linear", "mend it")) == (size != 4));
  CHECK(words(ir::unfit_size(row, 5, "linear", "write linear<4, 3>")) ==
        "linear expects 5 features, got 4 from 'row'; write linear<4, 3>");
}

TEST_CASE("an axis has one bound and one grid") {
  const ir::time_axis sequence{.name = "time", .bound = 6}, map{.name = "map", .bound = 24, .grid = {4, 6}};
  CHECK(!ir::unfit_bound(sequence, 6, {0, 0}));
  CHECK(!ir::unfit_bound(map, 24, {4, 6}));
  CHECK(words(ir::unfit_bound(sequence, 7, {0, 0})) ==
        "inputs bound one time axis differently: 6 steps, got 7; use one bound, or name the axes: steps<12, "
        "\"source\">");
  // The same number of places in other lines is a different grid, and so is a sequence.
  for (const ir::extents& other : {ir::extents{6, 4}, {3, 8}, {0, 0}})
    CHECK(words(ir::unfit_bound(map, 24, other)).starts_with("the axis 'map' has another height or width"));
}

}  // namespace tenon::test
