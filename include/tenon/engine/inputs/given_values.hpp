// given_values: stores the values that a program gives to the inputs of a plan, in any form. It checks all of them
// before it changes anything.
#pragma once

#include "tenon/engine/inputs/copy_features.hpp"
#include "tenon/engine/inputs/given_ranges.hpp"
#include "tenon/engine/inputs/input_buffers.hpp"
#include "tenon/tensor/expression.hpp"
#include "tenon/tensor/range.hpp"
#include "tenon/tensor/view.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <iterator>
#include <type_traits>

namespace tenon::inline v0_1::engine {

// Numbers are written to `values`. A session checks at compile time which kind of values an input accepts: see
// value_errors.hpp.
template <class Plan>
struct given_values {
  using T = typename Plan::scalar;
  using buffers = input_buffers<Plan>;
  using checks = input_checks<Plan>;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch;

  buffers& inputs;

  // --- sequences and rows of tokens ------------------------------------------------------------------------
  // One inner range for each sequence; its size is the length of the sequence.
  template <int E, Ragged R>
  void set(const R& sequences, T*) {
    const int n = checks::template checked_rows<E>(std::size(sequences));
    int r = 0;
    for (const auto& sequence : sequences) {
      checks::template check_length<E>(std::size(sequence), r, bound<E>);
      int t = 0;
      for (tenon::detail::element_of<tenon::detail::element_of<R>> token : sequence)
        checks::template check_token<E>(token, r, t++);
      ++r;
    }
    inputs.template begin<E>(n);
    int* rows = inputs.tokens()[E];
    r = 0;
    for (const auto& sequence : sequences) {
      int t = 0;
      for (auto token : sequence) rows[t++ * B + r] = static_cast<int>(token);
      inputs.lengths().template set<E>(r++, t);
    }
  }
  // A flat range: one token for each row, or the numbers of all rows.
  template <int E, Row R>
  void set(const R& source, T* values) {
    const auto count = static_cast<std::ptrdiff_t>(std::size(source));
    if constexpr (net.edges[E].is_token()) {
      set<E>(view<const tenon::detail::element_of<R>>(std::data(source), {count}, {1}), values);
    } else {
      constexpr int D = net.edges[E].size;
      using number = const tenon::detail::element_of<R>;
      constexpr std::ptrdiff_t all = net.edges[E].is_grid() ? bound<E> * D : D;  // of a row
      if (count % all != 0) checks::template fail<E>("expected a multiple of ", all, " numbers, got ", count);
      const std::ptrdiff_t rows = count / all;
      if constexpr (net.edges[E].is_grid())
        set_tensor<E>(view<number>(std::data(source), {rows, bound<E>, D}, {all, D, 1}), no_lengths{},
                      layout::batch_first, values);
      else set<E>(view<number>(std::data(source), {rows, D}, {D, 1}), values);
    }
  }

  // An inner range of numbers for each row; for a grid, it has all places.
  template <int E, NumberRows R>
  void set(const R& rows, T* values) {
    constexpr int size = net.edges[E].size, places = net.edges[E].is_grid() ? bound<E> : 1;
    const int n = checks::template checked_rows<E>(std::size(rows));
    int r = 0;
    for (const auto& row : rows) checks::template check_numbers<E>(std::size(row), size * places, r++);
    inputs.template begin<E>(n);
    r = 0;
    for (const auto& row : rows) {
      auto from = std::begin(row);
      for (int p = 0; p < places; ++p)
        copy_numbers<E>(from, values + buffers::template place_of_row<E>(p, r));
      if constexpr (net.edges[E].is_grid()) inputs.lengths().template set<E>(r, places);
      ++r;
    }
    for (; r < B; ++r)
      for (int p = 0; p < places; ++p)
        std::fill_n(values + buffers::template place_of_row<E>(p, r), size, T(0));
  }
  // A range of steps for each sequence; each step is a range of numbers.
  template <int E, NumberSequences R>
  void set(const R& sequences, T* values) {
    constexpr int size = net.edges[E].size;
    const int n = checks::template checked_rows<E>(std::size(sequences));
    int r = 0;
    for (const auto& sequence : sequences) {
      checks::template check_length<E>(std::size(sequence), r, bound<E>);
      int t = 0;
      for (const auto& step : sequence) checks::template check_numbers<E>(std::size(step), size, r, t++);
      ++r;
    }
    inputs.template begin<E>(n);
    for (int t = 0; t < bound<E>; ++t)
      for (int k = 0; k < B; ++k) std::fill_n(values + buffers::template place_of_row<E>(t, k), size, T(0));
    r = 0;
    for (const auto& sequence : sequences) {
      int t = 0;
      for (const auto& step : sequence) {
        auto from = std::begin(step);
        copy_numbers<E>(from, values + buffers::template place_of_row<E>(t++, r));
      }
      inputs.lengths().template set<E>(r++, t);
    }
  }

  // A range for each sequence of steps of one number.
  template <int E, NumberRows R>
  void set_samples(const R& sequences, T* values) {
    const int n = checks::template checked_rows<E>(std::size(sequences));
    for (int r = 0; const auto& samples : sequences)
      checks::template check_length<E>(std::size(samples), r++, bound<E>);
    inputs.template begin<E>(n);
    for (int t = 0; t < bound<E>; ++t)
      for (int r = 0; r < B; ++r) values[buffers::template place_of_row<E>(t, r)] = T(0);
    for (int r = 0; const auto& samples : sequences) {
      int t = 0;
      for (auto sample : samples) values[buffers::template place_of_row<E>(t++, r)] = static_cast<T>(sample);
      inputs.lengths().template set<E>(r++, t);
    }
  }
  // One step of numbers for each row, one row after the other.
  template <int E, class Number>
  void set_step(const Number* source, std::size_t count, T* values) {
    constexpr int D = net.edges[E].size;
    if (count % D != 0) checks::template fail<E>("expected a multiple of ", D, " numbers, got ", count);
    const int n = checks::template checked_rows<E>(count / D);
    inputs.template begin<E>(n);
    for (int r = 0; r < B; ++r, source += D, values += D)
      if (r < n) {
        copy_features<D>(view<const Number>(source, {D}, {1}), values);
        inputs.lengths().template set<E>(r, 1);
      } else {
        std::fill_n(values, D, T(0));
      }
  }

  // The same for a range of numbers for each row.
  template <int E, NumberRows R>
  void set_step(const R& rows, T* values) {
    constexpr int D = net.edges[E].size;
    const int n = checks::template checked_rows<E>(std::size(rows));
    for (int r = 0; const auto& row : rows) checks::template check_numbers<E>(std::size(row), D, r++);
    inputs.template begin<E>(n);
    int r = 0;
    for (const auto& row : rows) {
      auto from = std::begin(row);
      copy_numbers<E>(from, values + std::ptrdiff_t(r) * D);
      inputs.lengths().template set<E>(r++, 1);
    }
    std::fill_n(values + std::ptrdiff_t(n) * D, std::ptrdiff_t(B - n) * D, T(0));
  }

  // --- any tensor expression -------------------------------------------------------------------------------
  // Tokens: [batch] or [batch, time].  Numbers: [batch, D], [batch, time, D] or [layers, batch, D].
  template <int E, concepts::TensorExpression X>
  void set(const X& source, T* values) {
    constexpr int rank = net.edges[E].is_grid() ? 4 : 2;
    if constexpr (is_taken_without_feature<E, X>)
      set_all<E>(tenon::detail::with_feature<rank, X>{source}, values);
    else set_all<E>(source, values);
  }
  template <int E, concepts::TensorExpression X, class Lengths>
  void set(const X& source, const Lengths& lengths, T* values, layout order = layout::batch_first) {
    set_tensor<E>(source, lengths, order, values);
  }
  template <int E, concepts::TensorExpression X>
  void set(const X& source, layout order, T* values) {
    set_tensor<E>(source, no_lengths{}, order, values);
  }

 private:
  struct no_lengths {};
  // [batch] for one feature, or images [batch, height, width]; for any tensor in the program's memory.
  template <int E, class X>
  static constexpr bool is_taken_without_feature = may_lack_feature(net.edges[E]) && !is_device_tensor<X>;
  template <int E>
  static constexpr int bound = Plan::steps(E);

  template <int E, class X>
  void set_all(const X& x, T* values) {
    if constexpr (net.edges[E].is_grid()) set_grid<E>(x, values);
    else set_tensor<E>(x, no_lengths{}, layout::batch_first, values);
  }
  // [batch, height, width, ..] as [batch, places, ..].
  template <class X, extents Grid>
  struct line_after_line {
    const X& x;
    std::size_t dimension() const { return x.dimension() - 1; }
    std::array<std::size_t, 3> shape() const {
      return {static_cast<std::size_t>(x.shape()[0]), std::size_t(Grid.height) * Grid.width,
              x.dimension() > 3 ? static_cast<std::size_t>(x.shape()[3]) : 1};
    }
    auto operator()(auto row, auto place, auto... feature) const {
      const auto r = static_cast<std::size_t>(row), p = static_cast<std::size_t>(place);
      return x(r, p / Grid.width, p % Grid.width, feature...);
    }
  };
  template <int E, class X>
  void set_grid(const X& x, T* values) {
    constexpr extents grid = net.edges[E].grid;
    constexpr int rank = net.edges[E].is_token() ? 3 : 4;
    if (static_cast<int>(x.dimension()) != rank)
      checks::template refuse_rank<E>(rank, static_cast<int>(x.dimension()), is_taken_without_feature<E, X>);
    const auto height = static_cast<long>(x.shape()[1]), width = static_cast<long>(x.shape()[2]);
    if (height != grid.height || width != grid.width)
      checks::template fail<E>("expected ", int(grid.height), " x ", int(grid.width), " places, got ", height,
                               " x ", width);
    if constexpr (is_device_tensor<X>) set_tensor<E>(x.as_line(), no_lengths{}, layout::batch_first, values);
    else set_tensor<E>(line_after_line<X, grid>{x}, no_lengths{}, layout::batch_first, values);
  }
  template <int E, class Iterator>
  static void copy_numbers(Iterator& from, T* to) {
    for (int j = 0; j < net.edges[E].size; ++j, ++from) to[j] = static_cast<T>(*from);
  }
  template <int E, concepts::TensorExpression X, class Lengths>
  void set_tensor(const X& x, const Lengths& lengths, layout order, T* values) {
    constexpr bool with_lengths = !std::same_as<Lengths, no_lengths>;
    constexpr edge e = net.edges[E];
    constexpr bool sequence = e.axis >= 0, has_layers = e.layers > 1;
    constexpr int rank = 1 + (sequence ? 1 : 0) + (has_layers ? 1 : 0) + (e.is_token() ? 0 : 1);
    if (static_cast<int>(x.dimension()) != rank)
      checks::template refuse_rank<E>(rank, static_cast<int>(x.dimension()), is_taken_without_feature<E, X>);
    const bool time_first = sequence && order == layout::time_first;
    const auto extent = [&](int axis) {
      return static_cast<std::size_t>(x.shape()[static_cast<std::size_t>(axis)]);
    };
    const int n = checks::template checked_rows<E>(extent(has_layers || time_first ? 1 : 0));
    const long steps = sequence ? static_cast<long>(extent(time_first ? 0 : 1)) : 1;
    if (sequence && steps > bound<E>)
      checks::template fail<E>("at most ", int(bound<E>), " steps fit, got ", steps);
    if (has_layers && extent(0) != static_cast<std::size_t>(e.layers))
      checks::template fail<E>("expected ", int(e.layers), " layers, got ", extent(0));
    if (!e.is_token() && extent(rank - 1) != static_cast<std::size_t>(e.size))
      checks::template fail<E>("expected ", int(e.size), " features, got ", extent(rank - 1));
    if constexpr (with_lengths)
      if (std::size(lengths) != static_cast<std::size_t>(n))
        checks::template fail<E>("expected ", n, " lengths, one for each row, got ", std::size(lengths));
    const auto length_of = [&](int r) {
      if constexpr (with_lengths) return std::begin(lengths)[r];
      else return steps;
    };
    if (sequence)
      for (int r = 0; r < n; ++r) checks::template check_length<E>(length_of(r), r, steps);
    const auto is_in = [&](int t, int r) { return t < static_cast<int>(length_of(r)); };

    if constexpr (is_device_tensor<X>) {
      int* const counts = inputs.lengths().of_rows();
      if constexpr (with_lengths)
        for (int r = 0; r < n; ++r) counts[r] = static_cast<int>(length_of(r));
      const int given_steps = has_layers ? int(e.layers) : int(steps);
      x.check(n, given_steps, time_first, with_lengths ? counts : nullptr);
      inputs.template begin<E>(n);
      x.take(n, given_steps, time_first, with_lengths);
    } else if constexpr (e.is_token()) {
      const auto walk = [&](auto f) {  // each token with its row and step
        if constexpr (!sequence)
          tenon::detail::for_each_element<1>(x, [&](auto v, auto r) { f(v, int(r), 0); });
        else
          tenon::detail::for_each_element<2>(x, [&](auto v, auto i, auto k) {
            const int r = int(time_first ? k : i), t = int(time_first ? i : k);
            if (is_in(t, r)) f(v, r, t);
          });
      };
      walk([&](auto v, int r, int t) { checks::template check_token<E>(v, r, t); });
      inputs.template begin<E>(n);
      walk([&](auto v, int r, int t) { inputs.tokens()[E][t * B + r] = static_cast<int>(v); });
    } else {
      inputs.template begin<E>(n);
      constexpr int layers = sequence ? Plan::steps(E) : e.layers;
      for (int t = 0; t < layers; ++t)
        for (int r = 0; r < B; ++r) {
          T* const to = values + buffers::template place_of_row<E>(t, r);
          if (r >= n || (sequence && !is_in(t, r))) std::fill_n(to, e.size, T(0));
          else if constexpr (rank == 2) copy_features<e.size>(x, to, r);
          else if (has_layers || time_first) copy_features<e.size>(x, to, t, r);
          else copy_features<e.size>(x, to, r, t);
        }
    }
    if constexpr (sequence)
      for (int r = 0; r < n; ++r) inputs.lengths().template set<E>(r, static_cast<int>(length_of(r)));
  }
};

}  // namespace tenon::inline v0_1::engine
