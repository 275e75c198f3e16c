// shifted_right: the input of a decoder in training (teacher forcing): before each token to write, the right token.
//
//   data_set(column<"source">(source), column<"word">(decoding::shifted_right(target, start)), column<"target">(target))
//
// For a sequence y_1 .. y_T it is start, y_1 .. y_{T-1} ("outputs, shifted right" in Vaswani et al. 2017). It is as
// long as the target, whose last token, the end token if there is one, is only written and never read.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/engine/inputs/given_ranges.hpp"
#include "tenon/meta/type_name.hpp"

#include <concepts>
#include <iterator>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// Not a tensor, whose elements do not come in rows.
template <class R>
concept TokenSequence =
    !concepts::TensorExpression<R> && SizedRange<R> && std::integral<element_of<R>> && engine::IsNoText<R>;

template <class Targets>
struct unfit_shift {
  static constexpr ir::problem wrong{.rule = ir::sentence("shifted_right takes sequences of tokens, and '")
                                                 .append(ir::type_name<Targets>().view())
                                                 .append("' has none"),
                                     .fix = "give a range of whole numbers, or a range of such ranges"};
};

template <class Target>
std::vector<int> sequence_shifted_right(const Target& target, int start) {
  std::vector<int> shifted;
  shifted.reserve(std::size(target));
  int before = start;
  for (const auto& token : target) {
    shifted.push_back(before);
    before = static_cast<int>(token);
  }
  return shifted;
}

}  // namespace detail

namespace decoding {

// For one sequence, or for each in a range of them; an empty one stays empty.
template <class Targets>
auto shifted_right(const Targets& targets, int start) {
  if constexpr (engine::Ragged<Targets>) {
    std::vector<std::vector<int>> all;
    all.reserve(std::size(targets));
    for (const auto& target : targets) all.push_back(detail::sequence_shifted_right(target, start));
    return all;
  } else if constexpr (detail::TokenSequence<Targets>) {
    return detail::sequence_shifted_right(targets, start);
  } else {
    detail::say<detail::error_in<detail::unfit_shift<Targets>>>();
    return std::vector<std::vector<int>>{};
  }
}

#define TENON_SENTENCE \
  "shifted_right takes the token to start with behind the targets: shifted_right(targets, start)"
template <class Targets>
TENON_CALL(TENON_SENTENCE, std::vector<int>)
shifted_right(const Targets&) TENON_SAID(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace decoding

}  // namespace tenon::inline v0_1
