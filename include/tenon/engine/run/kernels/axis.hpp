// Runs kernels along an axis: reductions, softmax and shifts, an axis as features, and pairs of a block of steps with
// all steps of another sequence.
#pragma once

#include "tenon/engine/run/kernels/operands.hpp"

namespace tenon::inline v0_1::engine::detail {

// Runs a kernel along an axis: along the inner axis on all steps; in the loop on one step.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_over_axis(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr dimension axis = k.runs_along();
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr place from = place_of<Schedule>(i.a), made = place_of<Schedule>(k.value);
  constexpr int N = Schedule::value.equations.code[i.a].size;
  const auto a = source<axis>(m, from, t);
  const auto y = target<axis>(m, made, t);
  const int* const lengths = lengths_of<axis>(m);
  if constexpr (i.code == opcode::axis_softmax) {
    axis_softmax<i.size>(Backend{}, steps, m.batch, lengths, a.data, y.data);
  } else if constexpr (i.code == opcode::weighted_sum) {
    constexpr place of = place_of<Schedule>(i.b);
    weighted_sum<i.size>(Backend{}, steps, m.batch, a.data, source<axis>(m, of, t), y.data, y.row);
  } else if constexpr (i.code == opcode::shift) {
    shift<i.size>(Backend{}, static_cast<int>(i.number), steps, m.batch, lengths, a, y);
  } else if constexpr (i.code == opcode::flip) {
    flip<i.size>(Backend{}, steps, m.batch, lengths, a, y);
  } else if constexpr (i.code == opcode::axis_max) {
    axis_max<i.size>(Backend{}, steps, m.batch, lengths, a, y.data, y.row);
  } else {
    clear_padding<axis, N, Backend>(m, from, t, steps);
    if constexpr (k.kind == kernel_kind::accumulate)
      accumulate_rows<N>(Backend{}, steps * m.batch, a.data, a.row, y.data, y.row);
    else axis_sum<i.size>(Backend{}, steps, m.batch, a.data, a.row, a.step, y.data, y.row);
  }
}

// Puts the steps of an axis side by side, with zeros past the end of each sequence; or does the reverse.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_features(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr dimension axis = k.runs_along();
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr place from = place_of<Schedule>(i.a), made = place_of<Schedule>(k.value);
  constexpr int from_size = Schedule::value.equations.code[i.a].size;
  constexpr bool goes_back = k.kind == kernel_kind::from_features;
  constexpr int size = goes_back ? i.size : from_size, bound = (goes_back ? from_size : i.size) / size;
  const auto x = source<axis>(m, from, t);
  const auto y = target<axis>(m, made, t);
  const int* const lengths = lengths_of<axis>(m);
  for (int s = 0; s < bound; ++s) {
    if constexpr (goes_back) {
      if (s < steps)
        copy_rows<size>(Backend{}, m.batch, x.data + s * size, x.row, y.data + s * y.step, y.row);
    } else {
      T* const to = y.data + s * size;
      if (s < steps) copy_rows<size>(Backend{}, m.batch, x.data + s * x.step, x.row, to, y.row);
      else clear_rows<size>(Backend{}, m.batch, to, y.row);
      if (s < steps && lengths != nullptr) clear_ended_rows<size>(Backend{}, s, m.batch, lengths, to, y.row);
    }
  }
}

// Stores the rows of some steps after those of earlier ones, or reads earlier ones.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_history(const program_memory<T, C>& m, int t, int steps) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr place from = place_of<Schedule>(i.a), made = place_of<Schedule>(k.value);
  const int* const earlier = m.earlier_steps + std::ptrdiff_t(t) * m.batch;
  if constexpr (k.kind == kernel_kind::keep) {
    T* const kept = target<dimension::inner>(m, made, t).data;
    keep_rows<i.size>(Backend{}, steps, m.batch, static_cast<int>(i.number), earlier,
                      source<dimension::time>(m, from, t), kept);
  } else {
    constexpr int room = static_cast<int>(Schedule::value.equations.code[i.a].number);
    const T* const kept = source<dimension::inner>(m, from, t).data;
    earlier_rows<i.size>(Backend{}, steps, m.batch, room, earlier, static_cast<int>(i.number), T(0), kept,
                         target<dimension::time>(m, made, t));
  }
}

// Pairs of a block of steps with all steps of the inner axis, in each row.
template <class Schedule, int K, class Backend, class T, program_counts C>
inline void run_pairs(const program_memory<T, C>& m, int t) {
  constexpr kernel k = Schedule::value.kernels[K];
  constexpr instruction i = Schedule::value.equations.code[k.value];
  constexpr int groups = i.count, lanes = Schedule::value.lanes;
  constexpr place left = place_of<Schedule>(i.a), made = place_of<Schedule>(k.value);
  const backend::paired_steps of{m.batch, {t, m.block, m.lengths}, {0, m.inner_steps, m.inner_lengths}};
  if constexpr (k.kind == kernel_kind::to_lanes) {
    constexpr int N = Schedule::value.equations.code[i.a].size;
    to_lanes<N, groups, lanes>(Backend{}, of, source<dimension::time>(m, left, t),
                               target<dimension::time>(m, made, t));
  } else {
    constexpr place right = place_of<Schedule>(i.b);
    constexpr bool is_dot = k.kind == kernel_kind::pair_dots,
                   over_time = k.kind == kernel_kind::pair_sums_over_time;
    constexpr int features = Schedule::value.equations.code[i.b].size / groups;
    const auto a = source < is_dot ? dimension::time : dimension::inner > (m, left, t);
    const auto b = source < over_time ? dimension::time : dimension::inner > (m, right, t);
    const auto y = target < is_dot || over_time ? dimension::inner : dimension::time > (m, made, t);
    if constexpr (is_dot) pair_dots<groups, features, lanes>(Backend{}, of, a, b, y);
    else if constexpr (over_time) pair_sums_over_time<groups, features, lanes>(Backend{}, of, a, b, y);
    else pair_sums<groups, features, lanes>(Backend{}, of, a, b, y);
  }
}

constexpr bool is_of_pairs(kernel_kind kind) {
  return kind == kernel_kind::pair_dots || kind == kernel_kind::pair_sums ||
         kind == kernel_kind::pair_sums_over_time || kind == kernel_kind::to_lanes;
}

}  // namespace tenon::inline v0_1::engine::detail
