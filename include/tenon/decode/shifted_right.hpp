// shifted_right: what a decoder reads while it learns (teacher forcing): the right token in front of each that it is to write.
//
//   data_set(column<"source">(source), column<"word">(decoding::shifted_right(target, start)), column<"target">(target))
//
// Of a sequence y_1 .. y_T it is start, y_1 .. y_{T-1} ("outputs, shifted right" of Vaswani et al. 2017): as long as the target, whose
// last token, an end token where there is one, is only written and never read.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/engine/session/given_ranges.hpp"
#include "tenon/meta/type_name.hpp"

#include <concepts>
#include <iterator>
#include <vector>

namespace tenon {

namespace detail {

// Not a tensor: its elements come without their rows.
template <class R>
concept TokenSequence =
    !concepts::TensorExpression<R> && SizedRange<R> && std::integral<element_of<R>> && engine::IsNoText<R>;

template <class Targets>
struct no_sequences_to_shift {
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
  for (const auto& token : target) shifted.push_back(before), before = static_cast<int>(token);
  return shifted;
}

}  // namespace detail

namespace decoding {

// Of one sequence, or of each in a range of them; an empty one stays empty.
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
    detail::say<detail::error_in<detail::no_sequences_to_shift<Targets>>>();
    return std::vector<std::vector<int>>{};
  }
}

}  // namespace decoding

}  // namespace tenon
