// axis_lengths: the length of each row on each time axis: first as given with each input, then, once all inputs agree,
// as the run uses it.
#pragma once

#include "tenon/engine/inputs/input_checks.hpp"
#include "tenon/meta/repeat.hpp"
#include "tenon/tensor/memory.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::inline v0_1::engine {

template <class Plan>
class axis_lengths {
 public:
  using checks = input_checks<Plan>;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch, inputs = net.inputs.size, axes = net.axes.size;

  axis_lengths()
      : all_(static_cast<std::size_t>(axes + 1 + (Plan::has_counted_steps ? counts_of_steps : 0)) * B, use),
        given_(static_cast<std::size_t>(inputs) * B, use),
        pending_(static_cast<std::size_t>(axes) * B, use) {
    for (int a = 0; a < axes; ++a) rows_[a] = all_.data() + std::ptrdiff_t(a) * B;
  }
  // Not copied: its row pointers point into itself.
  axis_lengths(const axis_lengths&) = delete;
  axis_lengths& operator=(const axis_lengths&) = delete;

  // --- the lengths of a run --------------------------------------------------------------------------------
  const int* const* of_axes() const { return rows_; }
  const int* steps() const { return steps_; }            // of the longest row
  const int* full_steps() const { return full_steps_; }  // of the shortest row
  // Room for the lengths that a step of a loop sees, after those of the axes.
  int* seen() { return all_.data() + std::ptrdiff_t(axes) * B; }
  // After that, in a stream that counts its steps, for each step of a run: the steps before it; and those including it, and if there
  // may be several, those including all of the run.
  static constexpr int counts_of_steps = 2 * Plan::block + (Plan::block > 1);
  int* earlier_steps() { return all_.data() + std::ptrdiff_t(axes + 1) * B; }
  int* steps_so_far() { return all_.data() + std::ptrdiff_t(axes + 1 + Plan::block) * B; }
  const memory<int>& block() const { return all_; }

  // All `rows` rows take as many steps in the next run of a stream.
  void take_steps(int rows, int steps) {
    for (int a = 0; a < axes; ++a) {
      if (!Plan::is_stepped_axis(a)) continue;
      for (int r = 0; r < B; ++r) rows_[a][r] = r < rows ? steps : 0;
      steps_[a] = steps;
      full_steps_[a] = rows < B ? 0 : steps;
    }
  }

  // --- the lengths given with each input -------------------------------------------------------------------
  const int* lengths_of(int input) const { return given_.data() + std::ptrdiff_t(input) * B; }
  // Room for the lengths of the rows of the input that is being set.
  int* of_rows() { return pending_.data(); }
  template <int E>
  void begin() {
    constexpr std::ptrdiff_t input = net.find_input(E);
    std::fill_n(given_.data() + input * B, B, 0);
  }
  template <int E>
  void set(int r, int length) {
    constexpr std::ptrdiff_t input = net.find_input(E);
    given_.data()[input * B + r] = length;
  }
  // Checks that the needed inputs have the same lengths on each axis, in `rows` rows, and uses them for the next run.
  template <class Needed>
  void settle(Needed, int rows) {
    int first_on[axes + 1];  // by axis: the position of its first input, and its name
    characters first_path[axes + 1];
    std::fill_n(first_on, axes + 1, -1);
    repeat<inputs>([&](auto i) {
      constexpr int e = net.inputs[i], axis = net.edges[e].axis;
      if constexpr (Needed{}(e) && axis >= 0) {
        if (first_on[axis] < 0) {
          first_on[axis] = i;
          first_path[axis] = checks::template path<e>();
        } else
          checks::check_same_lengths(lengths_of(first_on[axis]), first_path[axis], lengths_of(i),
                                     checks::template path<e>(), rows);
      }
    });
    if constexpr (has_counted_axes(Needed{})) {
      int* pending[axes];
      for (int a = 0; a < axes; ++a) {
        pending[a] = pending_.data() + std::ptrdiff_t(a) * B;
        if (first_on[a] >= 0) copy_lengths(lengths_of(first_on[a]), pending[a]);
      }
      repeat<axes>([&](auto a) {
        if constexpr (!is_given(a, Needed{})) count_steps<a>(rows, pending);
        else if constexpr (follows_from_given(a, Needed{}))
          check_windows<a>(pending, lengths_of(first_on[a]), first_path[a], rows);
      });
      for (int a = 0; a < axes; ++a) adopt_lengths(a, pending[a]);
    } else {
      for (int a = 0; a < axes; ++a)
        if (first_on[a] >= 0) adopt_lengths(a, lengths_of(first_on[a]));
    }
  }

 private:
  static constexpr memory_use use{"the inputs of a session", Plan::title};
  memory<int> all_, given_,  // by axis, of the last run; by input
      pending_;              // by axis, until all lengths are checked
  int* rows_[axes + 1]{};
  int steps_[axes + 1]{}, full_steps_[axes + 1]{};

  // Does a needed input have this axis? Then its lengths are given.
  template <class Needed>
  static constexpr bool is_given(int axis, Needed needed) {
    for (int i = 0; i < inputs; ++i)
      if (net.edges[net.inputs[i]].axis == axis && needed(net.inputs[i])) return true;
    return false;
  }
  template <class Needed>
  static constexpr bool has_counted_axes(Needed needed) {
    for (int a = 0; a < axes; ++a)
      if (net.axes[a].from >= 0 || !is_given(a, needed)) return true;
    return false;
  }
  // Do the lengths of an axis of windows follow from known lengths? Not if only an unneeded input has the axis that the
  // windows go over.
  template <class Needed>
  static constexpr bool follows_from_given(int axis, Needed needed) {
    const int from = net.axes[axis].from;
    if (from < 0) return false;
    if (is_given(from, needed) || follows_from_given(from, needed)) return true;
    for (int i = 0; i < inputs; ++i)
      if (net.edges[net.inputs[i]].axis == from) return false;
    return true;
  }
  // The lengths of an axis that no input gives. An axis of windows has one step for each window; a grid, or an axis
  // that a layer has made, has its full length for the given rows.
  template <int Axis>
  void count_steps(int given_rows, int* const* lengths) {
    for (int r = 0; r < B; ++r) lengths[Axis][r] = r < given_rows ? steps_of_row<Axis>(lengths, r) : 0;
  }
  template <int Axis>
  int steps_of_row(int* const* lengths, int r) {
    constexpr time_axis axis = net.axes[Axis];
    if constexpr (axis.from >= 0 && !axis.is_grid()) return axis.made.horizontal.count(lengths[axis.from][r]);
    else {
      constexpr int steps = Plan::steps_of_axis(Axis);
      return steps;
    }
  }
  template <int Axis>
  void check_windows(int* const* lengths, const int* expected, characters path, int rows) {
    for (int r = 0; r < rows; ++r)
      checks::template check_window<Axis>(steps_of_row<Axis>(lengths, r), expected[r], path, r);
  }
  // A loop, because std::copy_n instantiates sixty templates in every program.
  static void copy_lengths(const int* from, int* to) {
    for (int r = 0; r < B; ++r) to[r] = from[r];
  }
  void adopt_lengths(int axis, const int* lengths) {
    copy_lengths(lengths, rows_[axis]);
    steps_[axis] = *std::max_element(lengths, lengths + B);
    full_steps_[axis] = *std::min_element(lengths, lengths + B);
  }
};

}  // namespace tenon::inline v0_1::engine
