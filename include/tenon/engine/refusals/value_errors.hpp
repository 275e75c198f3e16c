// value_errors: mistakes in the values given to an input (tensors, ranges, lengths, device memory), found at compile
// time and reported by the session.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"

#include "tenon/backend/memory.hpp"
#include "tenon/engine/inputs/block_input.hpp"
#include "tenon/engine/inputs/given_ranges.hpp"
#include "tenon/engine/refusals/name_errors.hpp"
#include "tenon/meta/type_name.hpp"
#include "tenon/tensor/device_view.hpp"

#include <span>
#include <tuple>
#include <type_traits>

// For calls that take values in any form.
#define TENON_BRACES_OF_VALUES \
  "values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view"

#define TENON_CONST_SESSION "the session is const, and a run changes it; pass one that is not const"

#define TENON_COPIED_SESSION \
  "sessions and trainers are not copied; take a reference, auto& same = session, or make another"

namespace tenon::inline v0_1::engine {

using tenon::detail::static_rank;
// The shape that an input expects: [batch, time, 8]. For one step of a sequence: [batch, 8].
struct expected_value {
  edge input{};
  bool is_sequence = false, takes_ranges = false;  // ranges of ranges of numbers, not for a state
  characters role = "input";

  constexpr expected_value(const edge& e, bool one_step, characters called = "input")
      : input(e), is_sequence(e.axis >= 0 && !one_step), takes_ranges(called == "input"), role(called) {}
  constexpr bool is_step() const { return input.axis >= 0 && !is_sequence; }
  constexpr bool is_grid() const { return is_sequence && input.is_grid(); }
  // One feature, [batch], or images, [batch, height, width].
  constexpr bool may_lack_feature() const {
    return takes_ranges &&
           (engine::may_lack_feature(input) || (is_step() && !input.is_token() && input.size == 1));
  }
  constexpr int rank() const {
    return 1 +
           (is_grid()     ? 2
            : is_sequence ? 1
                          : 0) +
           (input.layers > 1 ? 1 : 0) + (input.is_token() ? 0 : 1);
  }
  constexpr sentence give_tensor() const {
    sentence s = "give a tensor [";
    if (input.layers > 1) s.append(input.layers).append(", ");
    s.append(is_sequence && !is_grid() ? "batch, time" : "batch");
    if (is_grid()) s.append(", ").append(input.grid.height).append(", ").append(input.grid.width);
    if (!input.is_token()) s.append(", ").append(input.size);
    return s.append("]");
  }
  constexpr sentence give_tensor_of_a_rank() const {
    return may_lack_feature()
               ? give_tensor().append(is_grid() ? ", or without the last axis" : ", or [batch]")
               : give_tensor();
  }
  constexpr sentence give_sequences() const {
    sentence s = give_tensor();
    return takes_ranges ? s.append(", or vectors of std::array<float, ").append(input.size).append(">") : s;
  }
  constexpr sentence give_floats() const {
    sentence s = is_grid() || !is_sequence ? sentence("give ranges of float, or") : give_sequences();
    return is_grid() || !is_sequence ? s.append(give_tensor().view().substr(4)) : s;
  }
  constexpr problem wrong(characters what, const sentence& fix) const {
    return {.rule = sentence(role).append(" '").append(input.path.view()).append("'").append(what),
            .fix = fix};
  }
  // The error for a row of numbers, or a step of a sequence, of the wrong size; a row of a grid has all its places.
  constexpr problem unfit_width(int got) const {
    problem p = wrong(" takes rows of", input.path == name("target")
                                            ? "a target is as wide as its output"
                                            : "mend the rows, or the features<> of the input");
    p.axis = "numbers";
    p.expected = input.size * (is_grid() ? input.grid.height * input.grid.width : 1);
    p.got = got;
    return p;
  }
  constexpr problem no_text() const {
    return input.is_token()
               ? wrong(
                     ": text is given, it takes tokens",
                     "number its words: words.encode(words_of(text)), words a vocabulary; or bytes_of(text)")
               : wrong(": text is given, it takes numbers", give_floats());
  }
  constexpr problem unfit_type_of_token(const name& got) const {
    return wrong(sentence(": tokens are whole numbers, got ").append(got.view()).view(),
                 input.path == name("target")
                     ? "give the class of each row as an int: targets are not one-hot"
                     : "give int");
  }
};

// The numbers in a tensor, a range, or a range of ranges.
template <class X>
struct numbers_in {
  using type = void;
};
template <class X>
requires requires {
  typename X::value_type;
} && std::is_arithmetic_v<std::remove_cv_t<typename X::value_type>>
struct numbers_in<X> {
  using type = std::remove_cv_t<typename X::value_type>;
};
template <class X>
requires(!concepts::TensorExpression<X>) && requires {
  typename tenon::detail::element_of<tenon::detail::element_of<X>>;
}
struct numbers_in<X> {
  using type = tenon::detail::element_of<tenon::detail::element_of<X>>;
};

// Is it a text, a range of texts, or a range of words, instead of tokens?
template <class X>
constexpr bool is_text() {
  using number = typename numbers_in<X>::type;
  if constexpr (std::is_arithmetic_v<number> && !std::is_same_v<number, char>) return false;
  else if constexpr (tenon::detail::OneText<X> || tenon::detail::OneText<number>) return true;
  else if constexpr (requires { typename tenon::detail::element_of<X>; })
    return tenon::detail::OneText<tenon::detail::element_of<X>>;
  else return false;
}

// The size of a range, if its type fixes it, as std::array<float, 2> does; -1 if it is known at run time only.
template <class R>
inline constexpr int static_size = -1;
template <class R>
requires(std::is_array_v<R> || requires { std::tuple_size<R>::value; })  //
    inline constexpr int static_size<R> = [] {
      if constexpr (std::is_array_v<R>) return static_cast<int>(std::extent_v<R>);
      else return static_cast<int>(std::tuple_size_v<R>);
    }();
template <class V, std::size_t N>
requires(N != std::dynamic_extent) inline constexpr int static_size<std::span<V, N>> = static_cast<int>(N);
template <class X>
inline constexpr bool is_static_span = false;
template <class V, std::size_t N>
inline constexpr bool is_static_span<std::span<V, N>> = N != std::dynamic_extent;

template <class X>
constexpr problem unfit_value(const expected_value& e) {
  const edge& input = e.input;
  if constexpr (is_text<X>()) return e.no_text();
  // Checked first, for any shape: neither one-hot rows nor ids in float are tokens.
  if constexpr (std::is_floating_point_v<typename numbers_in<X>::type>)
    if (input.is_token()) return e.unfit_type_of_token(type_name<typename numbers_in<X>::type>());
  if constexpr (concepts::TensorExpression<X>) {
    if constexpr (static_rank<X>() >= 0)
      if (static_rank<X>() != e.rank() && !(e.may_lack_feature() && static_rank<X>() == e.rank() - 1)) {
        problem p = e.wrong(" takes", e.give_tensor_of_a_rank());
        p.axis = "dimensions";
        p.expected = e.rank();
        p.got = static_rank<X>();
        return p;
      }
    if constexpr (requires { typename X::value_type; })
      if (input.is_token() && !std::is_integral_v<typename X::value_type>)
        return e.unfit_type_of_token(type_name<std::remove_cv_t<typename X::value_type>>());
  } else if constexpr (Ragged<X>) {
    if (!input.is_token())
      return e.wrong(": whole numbers are given, which are tokens, and it takes numbers", e.give_floats());
    if (e.is_grid()) return e.wrong(": sequences are given, it takes a grid", e.give_tensor());
    if (!e.is_sequence)
      return e.wrong(": sequences are given, it takes one token for each row", "give a flat range of tokens");
  } else if constexpr (Row<X>) {
    using element = tenon::detail::element_of<X>;
    if (e.is_grid() && input.is_token())
      return e.wrong(": a flat range is given, it takes a grid",
                     input.path == name("target")
                         ? e.give_tensor().append(", or put a flatten before the output for one target a row")
                         : e.give_tensor());
    if (e.is_sequence && !input.is_token() && !e.is_grid())
      return e.wrong(": a flat range is given, it takes sequences", e.give_sequences());
    if (e.is_sequence && !e.is_grid())
      return e.wrong(": a flat range is given, it takes sequences",
                     "give [batch, time], or a range of ranges, of one sequence s std::array{s}");
    if (input.layers > 1) return e.wrong(": a flat range is given, it takes layers", e.give_tensor());
    if (input.is_token() && !std::integral<element>) return e.unfit_type_of_token(type_name<element>());
  } else if constexpr (NumberRows<X>) {
    if (!e.takes_ranges)
      return e.wrong(": numbers are taken as a tensor, not as ranges of ranges", e.give_tensor());
    if (e.is_sequence && !e.is_grid())
      return e.wrong(": rows of numbers are given, it takes sequences", e.give_sequences());
    if (input.layers > 1) return e.wrong(": rows of numbers are given, it takes layers", e.give_tensor());
    constexpr int width = static_size<tenon::detail::element_of<X>>;
    if (width >= 0 && e.unfit_width(width).expected != width) return e.unfit_width(width);
  } else if constexpr (NumberSequences<X>) {
    using steps = tenon::detail::element_of<X>;
    if (input.is_token())
      return e.unfit_type_of_token(type_name<tenon::detail::element_of<tenon::detail::element_of<steps>>>());
    if (e.is_step()) return e.wrong(": sequences are given, it takes one step of each", e.give_tensor());
    if (!e.takes_ranges || !e.is_sequence || e.is_grid())
      return e.wrong(": sequences of numbers are given, it takes none", e.give_tensor());
    constexpr int width = static_size<tenon::detail::element_of<tenon::detail::element_of<X>>>;
    if (width >= 0 && input.size != width) return e.unfit_width(width);
  } else if constexpr (requires { typename tenon::detail::element_of<tenon::detail::element_of<X>>; }) {
    return e.wrong(": numbers are taken as a tensor, not as ranges of ranges", e.give_tensor());
  } else {
    constexpr bool is_number = std::is_arithmetic_v<X>;
    return is_number && e.rank() == 1
               ? e.wrong(": a number is given, it takes one for each row", "of one row give std::array{x}")
               : e.wrong(": what is given is neither a tensor nor a range of numbers", e.give_tensor());
  }
  return {};
}

// Device memory given to a session that reads the program's memory.
template <class>
struct no_device {
  static constexpr problem wrong{
      .rule = "the session's outputs are in the program's memory, and on no device",
      .fix = "write on<backend::thrust_device>"};
};
template <class Plan, class X>
constexpr problem unfit_value_of(const expected_value& e) {
  if constexpr (OnDevice<X> && !backend::HasOwnMemory<typename Plan::backend>)
    return e.wrong(" is given in the memory of a device, and the session reads the program's",
                   no_device<Plan>::wrong.fix);
  else if constexpr (is_device_view<X>) {
    using N = typename X::value_type;
    if (e.input.is_token() && !std::is_integral_v<N>)
      return e.unfit_type_of_token(type_name<std::remove_cv_t<N>>());
    return {};
  } else {
    return unfit_value<X>(e);
  }
}

// A tensor may be followed by the lengths of its rows, then its layout.
template <class R>
concept Lengths = tenon::detail::SizedRange<R> && std::integral<tenon::detail::element_of<R>> &&
    requires(const R& r) {
  std::data(r);
};
template <class...>
inline constexpr bool are_lengths_and_layout = false;
template <>
inline constexpr bool are_lengths_and_layout<> = true;
template <class L>
inline constexpr bool are_lengths_and_layout<L> = Lengths<L> || std::same_as<L, layout>;
template <class L, class Order>
inline constexpr bool are_lengths_and_layout<L, Order> = Lengths<L>&& std::same_as<Order, layout>;

// What is wrong with the arguments of set_input<"x">(session, ..).
template <class Plan, int E, class... Given>
struct unfit_input {
  static constexpr expected_value expected{Plan::net.edges[E], false};
  static constexpr problem wrong = expected.wrong(": no value is given", expected.give_tensor());
};
template <class Plan, int E, class Value, class... More>
struct unfit_input<Plan, E, Value, More...> {
  static constexpr expected_value expected{Plan::net.edges[E], false};
  static constexpr problem wrong = [] {
    constexpr expected_value e = expected;
    if (Plan::streaming && Plan::is_stepped_edge(E))
      return e.wrong(" has steps, and a stream takes those one at a time",
                     e.input.is_token() ? sentence("write live.step(..), or decode with greedy<\"")
                                              .append(e.input.path.view())
                                              .append("\">(live, ..)")
                                        : sentence("write live.step(..)"));
    if (const problem p = unfit_value_of<Plan, Value>(e)) return p;
    if (e.input.axis < 0 && (... || Lengths<More>))
      return e.wrong(": lengths are given, it has no time axis",
                     "leave them out, or give the input a steps<bound>");
    if (e.is_grid() && sizeof...(More) > 0)
      return e.wrong(": lengths or a layout are given, and all places of a grid are there", e.give_tensor());
    if (sizeof...(More) > 0 && !concepts::TensorExpression<Value> && !is_device_view<Value>)
      return e.wrong(": lengths and layout belong to a tensor",
                     "leave them out: ranges have their own lengths");
    if (!are_lengths_and_layout<More...>)
      return e.wrong(": after the tensor come its lengths, whole numbers, then its layout",
                     "write (tensor, lengths, layout::time_first)");
    return problem{};
  }();
};
// What a call takes of each input: whole sequences, or of those with steps one step, or a block of them.
enum class given_as : unsigned char { sequences, one_step, a_block };

template <class Plan, int E, given_as What, class X>
constexpr problem unfit_value_of_call() {
  const expected_value e{Plan::net.edges[E], What == given_as::one_step};
  if constexpr (What != given_as::sequences && is_static_span<X> && Row<X>) {
    constexpr int D = Plan::net.edges[E].is_token() ? 1 : int(Plan::net.edges[E].size),
                  count = static_size<X>;
    constexpr bool is_step = What == given_as::one_step;
    constexpr int most = D * (is_step ? Plan::batch : Plan::block);
    if (is_step || Plan::batch == 1)
      if (count == 0 || count % D != 0 || count > most) {
        problem p = e.wrong(is_step ? ": a step has a multiple of its features, at most"
                                    : ": a block has a multiple of its features, at most",
                            "mend the extent of the span, or write batch<rows> or block<steps>");
        p.axis = "numbers";
        p.expected = most;
        p.got = count;
        return p;
      }
  }
  if constexpr (What == given_as::a_block) {
    using form = block_input<Plan, E>;
    if (form::template is_of_samples<X>) return {};
    if constexpr (form::template is_of_steps<X>) return unfit_value<std::span<const X>>(e);
    if constexpr (Row<X> && !is_text<X>()) {
      if (e.input.is_token() && !std::integral<tenon::detail::element_of<X>>)
        return e.unfit_type_of_token(type_name<tenon::detail::element_of<X>>());
      if (form::template is_flat<X>) return {};
      return e.wrong(": a flat range is given, and the stream has several rows",
                     e.input.is_token() ? "give a range of tokens for each row"
                     : e.input.size > 1 ? e.give_sequences()
                                        : sentence("give a range of numbers for each row"));
    }
  }
  return unfit_value_of<Plan, X>(e);
}
// What is wrong with the arguments of a call: a value for each input, or for each input with steps.
template <class Plan, given_as What, class... Given>
struct unfit_values {
  static constexpr problem wrong = [] {
    constexpr bool of_steps = What != given_as::sequences;
    constexpr auto inputs = given_inputs<Plan, of_steps>;
    constexpr bool is_empty_block = What == given_as::a_block && inputs.size == 0;
    if constexpr (sizeof...(Given) != inputs.size || is_empty_block) {
      return problem{.rule = What == given_as::one_step  ? "step takes"
                             : What == given_as::a_block ? "run takes"
                                                         : "the call takes",
                     .axis = "inputs",
                     .expected = inputs.size,
                     .got = sizeof...(Given),
                     .fix = list_inputs<Plan, of_steps>().append(inputs.size > 1 ? ", in this order" : "")};
    } else {
      problem p{};
      [&]<int... I>(std::integer_sequence<int, I...>) {
        ((p ? void() : void(p = unfit_value_of_call<Plan, inputs[I], What, Given>())), ...);
      }
      (std::make_integer_sequence<int, inputs.size>{});
      return p;
    }
  }();
};

}  // namespace tenon::inline v0_1::engine
