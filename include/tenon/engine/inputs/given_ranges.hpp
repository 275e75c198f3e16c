// given_ranges: the ranges that an input accepts besides tensors, told apart by their element types, and the axis
// order.
#pragma once

#include "tenon/graph/network.hpp"
#include "tenon/tensor/expression.hpp"
#include "tenon/tensor/range.hpp"

#include <concepts>
#include <iterator>
#include <type_traits>

namespace tenon::inline v0_1 {

// Axis order of a given sequence: [batch, time, ...] (default) or [time, batch, ...].
enum class layout { batch_first, time_first };

}  // namespace tenon::inline v0_1

namespace tenon::inline v0_1::engine {

// A range of numbers, not a text.
template <class R>
concept IsNoText = !std::same_as<tenon::detail::element_of<R>, char> || !tenon::detail::OneText<R>;
// Is there one feature for each row, or for each place of a grid? Then a tensor may leave out the axis of features:
// [rows] numbers, like a range of them.
constexpr bool may_lack_feature(const edge& e) {
  return !e.is_token() && e.size == 1 && e.layers <= 1 && (e.axis < 0 || e.is_grid());
}

// A tensor that is also a range counts as a tensor. This is checked first, before the range is instantiated.
template <class R>
concept Ragged = !concepts::TensorExpression<R> && tenon::detail::SizedRange<R> &&
                 tenon::detail::SizedRange<tenon::detail::element_of<R>> &&
                 std::integral<tenon::detail::element_of<tenon::detail::element_of<R>>> &&
                 IsNoText<tenon::detail::element_of<R>>;
template <class R>
concept Row = !concepts::TensorExpression<R> && tenon::detail::SizedRange<R> &&
              std::is_arithmetic_v<tenon::detail::element_of<R>> && requires(const R& r) {
  std::data(r);
}
&&IsNoText<R>;
// A range of numbers for each row of the batch, or for each step of its sequences. Ranges of whole numbers are tokens.
template <class R>
concept NumberRow = !concepts::TensorExpression<R> && tenon::detail::SizedRange<R> &&
                    std::floating_point<tenon::detail::element_of<R>>;
template <class R>
concept NumberRows =
    !concepts::TensorExpression<R> && tenon::detail::SizedRange<R> && NumberRow<tenon::detail::element_of<R>>;
template <class R>
concept NumberSequences = !concepts::TensorExpression<R> && tenon::detail::SizedRange<R> &&
                          NumberRows<tenon::detail::element_of<R>>;

}  // namespace tenon::inline v0_1::engine
