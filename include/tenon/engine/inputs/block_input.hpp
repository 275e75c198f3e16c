// block_input: some steps of a stream's input, in each of their forms: what a sequence input takes, and besides, where there is one
// row, its steps in a flat range or a range of ranges, and where there is one feature, a range of numbers for each row.
#pragma once

#include "tenon/engine/inputs/given_ranges.hpp"
#include "tenon/engine/inputs/input_checks.hpp"
#include "tenon/tensor/view.hpp"

#include <concepts>
#include <cstddef>
#include <span>

namespace tenon::inline v0_1::engine {

// Some steps of each row, the tokens [steps, batch]: steps[r] of row r. A row with none does not run and keeps its states.
struct tokens_of_some {
  const int *tokens, *steps;
  int rows;
};

template <class Plan, int E>
struct block_input {
  static constexpr edge e = Plan::net.edges[E];

  // The steps of the only row.
  template <class X>
  static constexpr bool is_flat = Row<X>&& Plan::batch == 1;
  template <class X>
  static constexpr bool is_of_steps = Plan::batch == 1 && !e.is_token() && e.size > 1 && NumberRows<X>;
  // A range of samples for each row: [rows][steps].
  template <class X>
  static constexpr bool is_of_samples = !e.is_token() && e.size == 1 && NumberRows<X>;

  // Passes x on to sequences(x), or to samples(x).
  template <class X, class Sequences, class Samples>
  static void give(const X& x, [[maybe_unused]] Sequences sequences, [[maybe_unused]] Samples samples) {
    if constexpr (std::same_as<X, tokens_of_some>) {
      sequences(view<const int>(x.tokens, {x.rows, Plan::block}, {1, Plan::batch}),
                std::span<const int>(x.steps, static_cast<std::size_t>(x.rows)));
    } else if constexpr (is_flat<X>) {
      using number = const tenon::detail::element_of<X>;
      const auto count = static_cast<std::ptrdiff_t>(std::size(x));
      if constexpr (e.is_token()) {
        sequences(view<number>(std::data(x), {1, count}, {count, 1}));
      } else {
        if (count % e.size != 0)
          input_checks<Plan>::template fail<E>("expected a multiple of ", int(e.size), " numbers, got ",
                                               count);
        sequences(view<number>(std::data(x), {1, count / e.size, e.size}, {count, e.size, 1}));
      }
    } else if constexpr (is_of_steps<X>) {
      sequences(std::span<const X, 1>(&x, 1));
    } else if constexpr (is_of_samples<X>) {
      samples(x);
    } else {
      sequences(x);
    }
  }
};

}  // namespace tenon::inline v0_1::engine
