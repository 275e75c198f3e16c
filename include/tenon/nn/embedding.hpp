// embedding<Vocabulary, Width>: tokens to rows of a learned table [Vocabulary, Width], in a sequence or single.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon {

// The row of this token starts at zero and gets no gradient (PyTorch's padding_idx).
template <int Token>
struct padding_idx {
  static constexpr int padding = Token;
};

template <int Vocabulary, int Width, class... Options>
struct embedding {
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "embedding", "name one token source")) return -1;
    b.require(Vocabulary > 0 && Width > 0, {.rule = "embedding<vocabulary, width> needs positive sizes", .fix = "both count from 1"});
    const edge& tokens = b[in[0]];
    b.require(tokens.is_token(), {.rule = "embedding expects tokens, got numbers", .source = tokens.path, .fix = "use linear<width> for numbers"});
    b.require(tokens.range <= Vocabulary, {.rule = "the table is smaller than the range of its", .axis = "tokens", .expected = Vocabulary,
                                           .got = tokens.range, .source = tokens.path, .fix = "write embedding<range, width>"});
    int padding = -1;
    ((padding = Options::padding), ...);
    b.require(padding < Vocabulary, {.rule = "padding_idx lies outside the table of", .axis = "tokens", .expected = Vocabulary, .got = padding,
                                     .fix = "padding_idx is one of the table's rows"});
    if (!b.ok()) return -1;
    operation o{.what = work::gather, .in = in, .skipped = padding};
    o.parameters.add(b.add_parameter("weight", Vocabulary, Width, {initial::normal, 1, padding}));
    o.out.add(b.add_edge({.size = Width, .axis = tokens.axis}));
    b.add_operation(o);
    return o.out[0];
  }
};

}  // namespace tenon
