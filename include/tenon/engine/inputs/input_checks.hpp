// input_checks: checks of given inputs at run time. Each throws input_error, which names the input, the row and the
// step, and the expected and the given value.
#pragma once

#include "tenon/engine/inputs/input_messages.hpp"
#include "tenon/graph/network.hpp"

#include <concepts>
#include <type_traits>

namespace tenon::inline v0_1::engine {

template <class Plan>
struct input_checks {
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch;

  // The name of input E.
  template <int E>
  static characters path() {
    constexpr name whole = net.edges[E].path;
    return literal<exact_text<whole.size>(whole)>;
  }
  template <int Axis>
  static characters axis_name() {
    constexpr label whole = net.axes[Axis].name;
    return literal<exact_text<whole.size>(whole)>;
  }
  template <int E, class... Parts>
  [[noreturn]] TENON_ALWAYS_INLINE static void fail(const Parts&... what) {
    refuse_input(path<E>(), {what...});
  }
  // A state of several layers has an axis of layers, and so has an input with layers<n>. An input of one feature may
  // lack the axis of features.
  template <int E>
  [[noreturn]] static void refuse_rank(int expected, int got, bool may_lack_feature = false) {
    constexpr edge e = net.edges[E];
    constexpr bool may_be_state = e.axis < 0 && !e.is_token();
    fail<E>("expected rank ", expected,
            may_lack_feature ? tenon::detail::message_of({", or ", expected - 1}) : "", ", got rank ", got,
            !may_be_state  ? ""
            : e.layers > 1 ? "; give [layers, rows, features]"
            : got == expected + 1
                ? "; its first axis is that of layers: give one of them, x[k], or give the input layers<n>"
                : "");
  }
  template <int E>
  static int checked_rows(std::size_t n) {
    if (n == 0 || n > static_cast<std::size_t>(B)) refuse_rows(path<E>(), n, B);
    return static_cast<int>(n);
  }
  // For any integer type: 2^64 - 1 is not -1.
  template <std::integral N>
  static constexpr bool is_negative(N n) {
    if constexpr (std::is_signed_v<N>) return n < 0;
    else return false;
  }
  template <std::integral N>
  static constexpr bool is_below(N n, long bound) {  // bound >= 0
    using wide = std::conditional_t<std::is_signed_v<N>, long long, unsigned long long>;
    return static_cast<wide>(n) < static_cast<wide>(bound);
  }
  template <int E, class N>
  static void check_length(N length, int r, long most) {
    if (is_negative(length) || !is_below(length, most + 1)) refuse_length(path<E>(), r, length, most);
  }
  // Requires as many numbers as one row has, or one step of it.
  template <int E>
  static void check_numbers(std::size_t got, int expected, int r, int t = -1) {
    if (got != static_cast<std::size_t>(expected)) refuse_numbers(path<E>(), {r, t}, got, expected);
  }
  static constexpr bool may_be_left_out(
      int e) {  // a target, or compared in an equation: -1 leaves the row out
    for (const operation& o : net.operations)
      if ((traits_of(o.kind).targets >= 0 || traits_of(o.kind).is_equation) && o.in.find(e) >= 0) return true;
    return false;
  }
  static constexpr int table_of(int e) {  // the table in which its tokens are looked up; -1: there is none
    for (const operation& o : net.operations)
      if (traits_of(o.kind).is_table && o.in[0] == e) return o.parameters[0];
    return -1;
  }
  template <int E, class N>
  static constexpr bool is_in_range(N token) {
    constexpr bool is_optional = may_be_left_out(E);
    constexpr int range = net.edges[E].range;
    return is_negative(token) ? is_optional && !is_negative(token + 1) : is_below(token, range);
  }
  // The range that the tokens of input E must be in.
  template <int E>
  static token_range tokens() {
    constexpr int table = table_of(E);
    characters path{};
    if constexpr (table >= 0) {
      constexpr name whole = net.parameters[table].path;
      path = literal<exact_text<whole.size>(whole)>;
    }
    constexpr int range = net.edges[E].range;
    constexpr bool is_optional = may_be_left_out(E);
    return {range, path, is_optional};
  }
  template <int E, class N>
  static void check_token(N token, int r, int t) {
    constexpr bool is_sequence = net.edges[E].axis >= 0;
    if (!is_in_range<E>(token)) refuse_token(path<E>(), {r, is_sequence ? t : -1}, token, tokens<E>());
  }

  // The first input that a loop starts from; -1: there is none.
  static constexpr int initial_state() {
    for (const operation& o : net.operations)
      for (int i = 1; traits_of(o.kind).is_loop && i < o.out.size; ++i)
        if (o.in[i] >= 0 && net.find_input(net.owner(o.in[i])) >= 0) return net.owner(o.in[i]);
    return -1;
  }
  static void check_rows(int count, characters path, int& rows, characters& first) {
    if (count < 0) tenon::detail::throw_input_error({"input '", path, "' has not been given"});
    if (rows >= 0 && count != rows) {
      characters state{};
      if constexpr (constexpr int e = initial_state(); e >= 0) state = input_checks::template path<e>();
      refuse_other_rows(path, count, first, rows, state);
    }
    rows = count;
    first = path;
  }
  static void check_same_lengths(const int* first, characters first_path, const int* second, characters path,
                                 int rows) {
    for (int r = 0; r < rows; ++r)
      if (first[r] != second[r])
        tenon::detail::throw_input_error({"input '", path, "': row ", r, " has length ", second[r],
                                          ", in input '", first_path,
                                          "' on the same time axis it has length ", first[r]});
  }
  // For an input along an axis of windows: it must have one step for each window.
  template <int Axis>
  static void check_window(int windows, int length, characters path, int r) {
    if (windows != length)
      tenon::detail::throw_input_error({"input '", path, "': row ", r, " has length ", length, ", the axis '",
                                        axis_name<Axis>(), "' has ", windows});
  }
};

}  // namespace tenon::inline v0_1::engine
