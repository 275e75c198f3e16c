// What a layer can require of its input edges, and the problem of an edge that does not comply. The problem names the
// path of the edge; a problem without a rule means that nothing is wrong.
#pragma once

#include "tenon/graph/network.hpp"

namespace tenon::inline v0_1::ir {

// Requires `least` to `most` sources.
constexpr problem unfit_count_of_sources(int got, int least, int most, const char* layer, const char* fix) {
  if (got >= least && got <= most) return {};
  sentence rule = layer;
  rule.append(least == most ? " takes" : got < least ? " takes at least" : " takes at most");
  return {.rule = rule,
          .axis = "sources",
          .expected = got < least ? least : most,
          .got = got,
          .fix = got == 0 ? "list its sources: node<\"y\", layer, \"x\">" : fix};
}
// Requires one row of numbers for each position.
constexpr problem unfit_numbers(const edge& from, const char* layer) {
  if (from.is_token())
    return {.rule = sentence(layer).append(" expects numbers, got tokens"),
            .source = from.path,
            .fix = "put an embedding<vocabulary, width> before it"};
  if (from.layers > 1)
    return {.rule = sentence(layer).append(" expects one row, got a stack of layers"),
            .source = from.path,
            .fix = from.path.view().find(".") == characters::npos  // an input, no state of a node
                       ? "leave layers<n> out of the input: it is for initial states"
                       : "take the last layer's state: '.final'"};
  return {};
}
// Requires a time axis. is_input: the edge is an input of the graph.
constexpr problem unfit_sequence(const edge& from, bool is_input, const char* layer) {
  if (from.is_sequence()) return {};
  return {.rule = sentence(layer).append(" expects a sequence, got one row without a time axis"),
          .source = from.path,
          .fix = is_input ? "give the input a steps<bound>"
                          : "name a source that keeps the steps of an input with steps<bound>"};
}
// Requires an edge without a time axis.
constexpr problem unfit_single_row(const edge& from, const char* layer) {
  if (!from.is_sequence()) return {};
  return {.rule = sentence(layer).append(" expects one row, got a sequence"),
          .source = from.path,
          .fix = "reduce the time axis first: attention, or the '.final' state of a recurrent layer"};
}
// Requires `expected` features.
constexpr problem unfit_size(const edge& from, int expected, const char* layer, const char* fix) {
  if (from.size == expected) return {};
  return {.rule = sentence(layer).append(" expects"),
          .axis = "features",
          .expected = expected,
          .got = from.size,
          .source = from.path,
          .fix = fix};
}
// Requires that two inputs along axes of one name have the same bound and grid.
constexpr problem unfit_bound(const time_axis& known, int bound, const extents& grid) {
  if (known.grid != grid)
    return {.rule = sentence("the axis '")
                        .append(known.name.view())
                        .append("' has another height or width in another input"),
            .fix = "write the same grid<height, width>, or name the axes: grid<4, 6, \"map\">"};
  if (known.bound != bound)
    return {.rule = "inputs bound one time axis differently:",
            .axis = "steps",
            .expected = known.bound,
            .got = bound,
            .fix = "use one bound, or name the axes: steps<12, \"source\">"};
  return {};
}

}  // namespace tenon::inline v0_1::ir
