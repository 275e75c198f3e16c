// input_buffers: takes what a user gives to the inputs of a plan, checks all of it, and only then changes anything.
#pragma once

#include "tenon/engine/run/executor.hpp"
#include "tenon/engine/session/axis_lengths.hpp"
#include "tenon/engine/session/device_inputs.hpp"
#include "tenon/engine/session/given_ranges.hpp"
#include "tenon/engine/session/input_checks.hpp"
#include "tenon/tensor/memory.hpp"
#include "tenon/tensor/range.hpp"
#include "tenon/tensor/view.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <iterator>
#include <string>
#include <type_traits>

namespace tenon {

// Axis order of a given sequence: [batch, time, ...] (default) or [time, batch, ...].
enum class layout { batch_first, time_first };

namespace engine {

// Which input takes which kind of values, a session says at compile time: see value_errors.hpp.
template <class Plan>
class input_buffers {
 public:
  using T = typename Plan::scalar;
  using checks = input_checks<Plan>;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch, inputs = net.inputs.size, axes = net.axes.size;

  mutable device_inputs<Plan> on_device;

  input_buffers() : tokens_(token_elements, use) {
    std::fill(tokens_.begin(), tokens_.end(), -1);
    std::ptrdiff_t at = 0;
    each_input([&](auto i) {
      constexpr int e = net.inputs[i];
      constexpr long rows = Plan::rows(e);
      if constexpr (net.edges[e].is_token()) token_rows_[e] = tokens_.data() + at, at += rows;
    });
  }

  int* const* tokens() const { return token_rows_; }
  const memory<int>& token_block() const { return tokens_; }
  axis_lengths<Plan>& lengths() { return lengths_; }
  const axis_lengths<Plan>& lengths() const { return lengths_; }
  int rows() const { return rows_; }

  // --- sequences and rows of tokens ------------------------------------------------------------------------
  // One inner range per sequence; its length is the sequence's.
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
    begin<E>(n);
    int* rows = token_rows_[E];
    r = 0;
    for (const auto& sequence : sequences) {
      int t = 0;
      for (auto token : sequence) rows[t++ * B + r] = static_cast<int>(token);
      lengths_.template set<E>(r++, t);
    }
  }
  // A flat range of one token for each row.
  template <int E, Row R>
  void set(const R& given, T* values) {
    const auto count = static_cast<std::ptrdiff_t>(std::size(given));
    if constexpr (net.edges[E].is_token()) {
      set<E>(view<const tenon::detail::element_of<R>>(std::data(given), {count}, {1}), values);
    } else {
      constexpr int D = net.edges[E].size;
      using number = const tenon::detail::element_of<R>;
      constexpr std::ptrdiff_t all = net.edges[E].is_grid() ? bound<E> * D : D;  // of a row
      if (count % all != 0) checks::template fail<E>("expected a multiple of ", all, " numbers, got ", count);
      const std::ptrdiff_t rows = count / all;
      if constexpr (net.edges[E].is_grid())
        set_tensor<E>(view<number>(std::data(given), {rows, bound<E>, D}, {all, D, 1}), no_lengths{},
                      layout::batch_first, values);
      else set<E>(view<number>(std::data(given), {rows, D}, {D, 1}), values);
    }
  }

  // An inner range of numbers for each row; of a grid with all its places.
  template <int E, NumberRows R>
  void set(const R& rows, T* values) {
    constexpr int size = net.edges[E].size, places = net.edges[E].is_grid() ? bound<E> : 1;
    const int n = checks::template checked_rows<E>(std::size(rows));
    int r = 0;
    for (const auto& row : rows) checks::template check_numbers<E>(std::size(row), size * places, r++);
    begin<E>(n);
    r = 0;
    for (const auto& row : rows) {
      auto from = std::begin(row);
      for (int p = 0; p < places; ++p) copy_numbers<E>(from, values + place_of_row<Plan, E>(p, r));
      if constexpr (net.edges[E].is_grid()) lengths_.template set<E>(r, places);
      ++r;
    }
    for (; r < B; ++r)
      for (int p = 0; p < places; ++p) std::fill_n(values + place_of_row<Plan, E>(p, r), size, T(0));
  }
  // For each sequence a range of its steps, each a range of numbers.
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
    begin<E>(n);
    for (int t = 0; t < bound<E>; ++t)
      for (int k = 0; k < B; ++k) std::fill_n(values + place_of_row<Plan, E>(t, k), size, T(0));
    r = 0;
    for (const auto& sequence : sequences) {
      int t = 0;
      for (const auto& step : sequence) {
        auto from = std::begin(step);
        copy_numbers<E>(from, values + place_of_row<Plan, E>(t++, r));
      }
      lengths_.template set<E>(r++, t);
    }
  }

  // One step of numbers for each row, one row after the other.
  template <int E, class Number>
  void set_step(const Number* given, std::size_t count, T* values) {
    constexpr int D = net.edges[E].size;
    if (count % D != 0) checks::template fail<E>("expected a multiple of ", D, " numbers, got ", count);
    const int n = checks::template checked_rows<E>(count / D);
    begin<E>(n);
    for (int r = 0; r < B; ++r, given += D, values += D)
      if (r < n) {
        copy_features<D>(view<const Number>(given, {D}, {1}), values);
        lengths_.template set<E>(r, 1);
      } else {
        std::fill_n(values, D, T(0));
      }
  }

  // The same of a range of numbers for each row.
  template <int E, NumberRows R>
  void set_step(const R& rows, T* values) {
    constexpr int D = net.edges[E].size;
    const int n = checks::template checked_rows<E>(std::size(rows));
    for (int r = 0; const auto& row : rows) checks::template check_numbers<E>(std::size(row), D, r++);
    begin<E>(n);
    int r = 0;
    for (const auto& row : rows) {
      auto from = std::begin(row);
      copy_numbers<E>(from, values + std::ptrdiff_t(r) * D);
      lengths_.template set<E>(r++, 1);
    }
    std::fill_n(values + std::ptrdiff_t(n) * D, std::ptrdiff_t(B - n) * D, T(0));
  }

  // --- any tensor expression -------------------------------------------------------------------------------
  // Tokens: [batch] or [batch, time].  Numbers: [batch, D], [batch, time, D] or [slabs, batch, D].
  template <int E, TensorExpression X>
  void set(const X& given, T* values) {
    if constexpr (net.edges[E].is_grid()) set_grid<E>(given, values);
    else set_tensor<E>(given, no_lengths{}, layout::batch_first, values);
  }
  template <int E, TensorExpression X, class Lengths>
  void set(const X& given, const Lengths& lengths, T* values, layout order = layout::batch_first) {
    set_tensor<E>(given, lengths, order, values);
  }
  template <int E, TensorExpression X>
  void set(const X& given, layout order, T* values) {
    set_tensor<E>(given, no_lengths{}, order, values);
  }

  // --- a part of a larger batch ----------------------------------------------------------------------------
  // What `whole` was given to input E in the rows from `first` on; the numbers of its rows start at `given`.
  template <int E, class Whole>
  void take(const input_buffers<Whole>& whole, int first, const T* given, T* values) {
    static_assert(Plan::steps(E) == Whole::steps(E));
    const int n = std::clamp(whole.given_rows_[E] - first, 0, B);
    if (whole.given_rows_[E] < 0) return;
    begin<E>(n);
    constexpr int layers = int(Plan::rows(E) / B), size = net.edges[E].size;  // time steps or slabs
    for (int k = 0; k < layers; ++k) {
      if constexpr (net.edges[E].is_token()) {
        std::copy_n(whole.token_rows_[E] + k * Whole::batch + first, B, token_rows_[E] + k * B);
      } else {
        for (int r = 0; r < B; ++r)
          std::copy_n(given + place_of_row<Whole, E>(k, first + r), size,
                      values + place_of_row<Plan, E>(k, r));
      }
    }
    constexpr int input = net.find_input(E);
    for (int r = 0; r < n; ++r) lengths_.template set<E>(r, whole.lengths_.given(input)[first + r]);
  }

  // --- rows of what was given ------------------------------------------------------------------------------
  int given_rows(int e) const { return given_rows_[e]; }
  // Row `to` of input E becomes row `from`; both are there.
  template <int E>
  void copy_row(int from, int to, T* values) {
    constexpr int layers = int(Plan::rows(E) / B), size = net.edges[E].size;
    for (int k = 0; k < layers; ++k)
      if constexpr (net.edges[E].is_token()) token_rows_[E][k * B + to] = token_rows_[E][k * B + from];
      else std::copy_n(values + place_of_row<Plan, E>(k, from), size, values + place_of_row<Plan, E>(k, to));
    constexpr int input = net.find_input(E);
    lengths_.template set<E>(to, lengths_.given(input)[from]);
  }
  // The first n rows of input E are all that it was given.
  template <int E>
  void keep_rows(int n, T* values) {
    constexpr int layers = int(Plan::rows(E) / B), size = net.edges[E].size;
    given_rows_[E] = n;
    for (int r = n; r < B; ++r) {
      for (int k = 0; k < layers; ++k)
        if constexpr (net.edges[E].is_token()) token_rows_[E][k * B + r] = -1;
        else std::fill_n(values + place_of_row<Plan, E>(k, r), size, T(0));
      lengths_.template set<E>(r, 0);
    }
  }

  // All inputs in `needed` must have been given, with one number of rows, and with the same lengths on one
  // time axis.
  template <class Needed>
  void check_complete(Needed needed) {
    int rows = -1;
    characters first;
    each_input([&](auto i) {
      constexpr int e = net.inputs[i];
      if constexpr (Needed{}(e)) checks::check_rows(given_rows_[e], checks::template path<e>(), rows, first);
    });
    rows_ = rows < 0 ? B : rows;
    lengths_.settle(needed, rows_);
  }

 private:
  template <class>
  friend class input_buffers;

  static constexpr std::size_t token_elements = [] {
    long n = 0;
    for (int i = 0; i < net.inputs.size; ++i)
      if (net.edges[net.inputs[i]].is_token()) n += Plan::rows(net.inputs[i]);
    return static_cast<std::size_t>(n);
  }();

  struct no_lengths {};
  static constexpr memory_use use{"the inputs of a session", Plan::title};
  memory<int> tokens_;
  axis_lengths<Plan> lengths_;
  int* token_rows_[net.edges.size + 1]{};
  int given_rows_[net.edges.size + 1] = {};
  int rows_ = B;

 public:
  // Not copied: its row pointers point into itself.
  input_buffers(const input_buffers&) = delete;
  input_buffers& operator=(const input_buffers&) = delete;

 private:
  template <int E>
  static constexpr int bound = Plan::steps(E);
  // f(position) for every input
  template <class F>
  static void each_input(F f) {
    repeat<inputs>(f);
  }

  // [batch, height, width, ..] as [batch, places, ..]; where there is one feature, an axis of its own may lack.
  template <class X, extents Grid, bool MayLackFeature>
  struct line_after_line {
    const X& x;
    bool lacks_feature() const { return MayLackFeature && x.dimension() == 3; }
    std::size_t dimension() const { return x.dimension() - (lacks_feature() ? 0 : 1); }
    std::array<std::size_t, 3> shape() const {
      return {static_cast<std::size_t>(x.shape()[0]), std::size_t(Grid.height) * Grid.width,
              x.dimension() > 3 ? static_cast<std::size_t>(x.shape()[3]) : 1};
    }
    auto operator()(auto row, auto place, auto... feature) const {
      const auto r = static_cast<std::size_t>(row), p = static_cast<std::size_t>(place);
      if constexpr (MayLackFeature)
        if (lacks_feature()) return x(r, p / Grid.width, p % Grid.width);
      return x(r, p / Grid.width, p % Grid.width, feature...);
    }
  };
  template <int E, class X>
  void set_grid(const X& x, T* values) {
    constexpr extents grid = net.edges[E].grid;
    constexpr int rank = net.edges[E].is_token() ? 3 : 4;
    constexpr bool may_lack_feature = rank == 4 && net.edges[E].size == 1 && !is_device_tensor<X>;
    if (static_cast<int>(x.dimension()) != rank && !(may_lack_feature && x.dimension() == 3))
      checks::template fail<E>("expected rank ", rank, ", got rank ", x.dimension());
    const auto height = static_cast<long>(x.shape()[1]), width = static_cast<long>(x.shape()[2]);
    if (height != grid.height || width != grid.width)
      checks::template fail<E>("expected ", int(grid.height), " x ", int(grid.width), " places, got ", height,
                               " x ", width);
    if constexpr (is_device_tensor<X>) set_tensor<E>(x.as_line(), no_lengths{}, layout::batch_first, values);
    else
      set_tensor<E>(line_after_line<X, grid, may_lack_feature>{x}, no_lengths{}, layout::batch_first, values);
  }
  template <class P, int E>
  static std::ptrdiff_t place_of_row(int t, int r) {
    constexpr std::ptrdiff_t step = row_order<P>::step_stride(E), row = row_order<P>::row_stride(E);
    return t * step + r * row;
  }
  template <int E, class Iterator>
  static void copy_numbers(Iterator& from, T* to) {
    for (int j = 0; j < net.edges[E].size; ++j, ++from) to[j] = static_cast<T>(*from);
  }
  template <int E, TensorExpression X, class Lengths>
  void set_tensor(const X& x, const Lengths& lengths, layout order, T* values) {
    constexpr bool with_lengths = !std::same_as<Lengths, no_lengths>;
    constexpr edge e = net.edges[E];
    constexpr bool sequence = e.axis >= 0, slabs = e.slabs > 1;
    constexpr int rank = 1 + (sequence ? 1 : 0) + (slabs ? 1 : 0) + (e.is_token() ? 0 : 1);
    if (static_cast<int>(x.dimension()) != rank)
      checks::template fail_rank<E>(rank, static_cast<int>(x.dimension()));
    const bool time_first = sequence && order == layout::time_first;
    const auto extent = [&](int axis) {
      return static_cast<std::size_t>(x.shape()[static_cast<std::size_t>(axis)]);
    };
    const int n = checks::template checked_rows<E>(extent(slabs || time_first ? 1 : 0));
    const long steps = sequence ? static_cast<long>(extent(time_first ? 0 : 1)) : 1;
    if (sequence && steps > bound<E>)
      checks::template fail<E>("at most ", int(bound<E>), " steps fit, got ", steps);
    if (slabs && extent(0) != static_cast<std::size_t>(e.slabs))
      checks::template fail<E>("expected ", int(e.slabs), " layers, got ", extent(0));
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
      int* const counts = lengths_.of_rows();
      if constexpr (with_lengths)
        for (int r = 0; r < n; ++r) counts[r] = static_cast<int>(length_of(r));
      const int given_steps = slabs ? int(e.slabs) : int(steps);
      x.check(n, given_steps, time_first, with_lengths ? counts : nullptr);
      begin<E>(n);
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
      begin<E>(n);
      walk([&](auto v, int r, int t) { token_rows_[E][t * B + r] = static_cast<int>(v); });
    } else {
      begin<E>(n);
      constexpr int layers = sequence ? Plan::steps(E) : e.slabs;
      for (int t = 0; t < layers; ++t)
        for (int r = 0; r < B; ++r) {
          T* const to = values + place_of_row<Plan, E>(t, r);
          if (r >= n || (sequence && !is_in(t, r))) std::fill_n(to, e.size, T(0));
          else if constexpr (rank == 2) copy_features<e.size>(x, to, r);
          else if (slabs || time_first) copy_features<e.size>(x, to, t, r);
          else copy_features<e.size>(x, to, r, t);
        }
    }
    if constexpr (sequence)
      for (int r = 0; r < n; ++r) lengths_.template set<E>(r, static_cast<int>(length_of(r)));
  }

  // --- changes: nothing above this line has written anything -----------------------------------------------
  template <int E>
  void begin(int n) {
    on_device.template given_by_program<E>();
    given_rows_[E] = n;
    if constexpr (net.edges[E].is_token()) std::fill_n(token_rows_[E], Plan::rows(E), -1);
    lengths_.template begin<E>();
  }
  struct nothing_given {
    explicit nothing_given(int (&rows)[net.edges.size + 1]) {
      for (int& r : rows) r = -1;
    }
  } nothing_given_{given_rows_};
};

}  // namespace engine
}  // namespace tenon
