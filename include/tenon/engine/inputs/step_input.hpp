// step_input: one step of a stream's input, in each of its forms, turned into a sequence of one step.
#pragma once

#include "tenon/engine/inputs/block_input.hpp"
#include "tenon/engine/inputs/device_inputs.hpp"
#include "tenon/engine/inputs/given_ranges.hpp"
#include "tenon/engine/inputs/input_checks.hpp"
#include "tenon/engine/inputs/plan_names.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace tenon::inline v0_1::engine {

template <class Plan, int E>
struct step_input {
  static constexpr edge e = Plan::net.edges[E];
  using checks = input_checks<Plan>;

  // Stores the number of rows of x and, if only some rows run, which ones.
  template <class X>
  static void look_at_rows(const X& x, int& rows, [[maybe_unused]] const int*& continues) {
    constexpr int size = e.is_token() ? 1 : e.size;
    if constexpr (std::same_as<X, tokens_of_some>) {
      rows = x.rows;
      continues = x.steps;
    } else if constexpr (is_device_view<X>) rows = x.rank() > 0 ? static_cast<int>(x.extent(0)) : 0;
    else if constexpr (concepts::TensorExpression<X>)
      rows = x.dimension() > 0 ? static_cast<int>(x.shape()[0]) : 0;
    else rows = static_cast<int>(std::size(x)) / (NumberRows<X> ? 1 : size);
  }

  // Passes x on to sequence(x) or sequence(x, lengths), with a time axis of one step; rows of numbers to step(rows) or
  // step(first, count).
  template <class X, class Sequence, class Step>
  static void give(const X& x, [[maybe_unused]] Sequence sequence, [[maybe_unused]] Step step) {
    if constexpr (std::same_as<X, tokens_of_some>) {
      sequence(view<const int>(x.tokens, {x.rows, 1}, {1, 1}),
               std::span<const int>(x.steps, static_cast<std::size_t>(x.rows)));
    } else if constexpr (is_device_view<X>) {
      using N = typename X::value_type;
      check_rank(x.rank());
      const view<N> numbers(x.data_handle(), {x.extent(0), 1, e.is_token() ? 1 : x.extent(1)},
                            {x.stride(0), 0, e.is_token() ? 1 : x.stride(1)});
      const view<N> tokens(x.data_handle(), {x.extent(0), 1}, {x.stride(0), 0});
      sequence(backend::device_view<N>(e.is_token() ? tokens : numbers, x.available()));
    } else if constexpr (DeviceVector<const X>) {
      if (x.size() % static_cast<std::size_t>(e.size) != 0)
        checks::template fail<E>("expected a multiple of ", e.size, " numbers, got ", x.size());
      const auto rows = x.size() / static_cast<std::size_t>(e.size);
      if constexpr (e.is_token()) give(backend::on_device(x, {x.size()}), sequence, step);
      else give(backend::on_device(x, {rows, e.size}), sequence, step);
    } else if constexpr (concepts::TensorExpression<X>) {
      if constexpr (e.is_token() || e.size > 1) {
        check_rank(x.dimension());
        sequence(one_step<X>{x});
      } else {
        const tenon::detail::with_feature<2, X> rows{x};
        check_rank(rows.dimension(), ", or 1,");
        sequence(one_step<tenon::detail::with_feature<2, X>>{rows});
      }
    } else if constexpr (e.is_token()) {
      using element = std::remove_pointer_t<decltype(std::data(x))>;
      const auto count = static_cast<std::ptrdiff_t>(std::size(x));
      sequence(view<element>(std::data(x), {count, 1}, {1, 1}));
    } else if constexpr (NumberRows<X>) {
      step(x);
    } else {
      step(std::data(x), std::size(x));
    }
  }

 private:
  static void check_rank(std::size_t got, const char* or_another = "") {
    constexpr int rank = e.is_token() ? 1 : 2;
    if (got != rank)
      checks::template fail<E>("expected rank ", rank, or_another, " for one step, got rank ", got);
  }
  // A tensor expression [rows, ...] as a sequence of one step, [rows, 1, ...].
  template <concepts::TensorExpression X>
  struct one_step {
    const X& x;
    std::size_t dimension() const { return x.dimension() + 1; }
    std::array<std::size_t, 3> shape() const {
      return {static_cast<std::size_t>(x.shape()[0]), 1,
              x.dimension() > 1 ? static_cast<std::size_t>(x.shape()[1]) : 0};
    }
    auto operator()(auto row, auto, auto... feature) const { return x(row, feature...); }
  };
};

}  // namespace tenon::inline v0_1::engine
