// Dot products and weighted sums between a block of steps and all steps of another sequence, as products of matrices. The
// steps of the block are side by side (lowering/lanes.hpp): group g and step t is number g * Lanes + t of a row. Past the end of a
// row, along either axis, nothing is read, and nothing is written except the zeros of lanes.
#pragma once

#include "tenon/backend/cpu/rows.hpp"
#include "tenon/backend/cpu/tag.hpp"
#include "tenon/backend/cpu/tile.hpp"
#include "tenon/backend/cpu/transpose.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

// How many steps a loop processes at once: the width of a product's tile, two vectors; one vector for sequences that it holds, except for those
// so short that a plan runs their steps one by one beside a whole tile.
constexpr int lanes_of_pairs(cpu, long, long steps) {
  constexpr int tile = simd::right_matrix<float>::panel_width;
  return steps <= tile / 2 && 4 * steps >= tile ? tile / 2 : tile;
}

// calls f(row, its steps, its inner steps) for each sequence
template <class F>
void each_sequence(cpu, int rows, const int* lengths, int steps, const int* inner_lengths, int inner_steps,
                   F f) {
  for (int r = 0; r < rows; ++r)
    f(r, lengths == nullptr ? steps : std::min(lengths[r], steps),
      inner_lengths == nullptr ? inner_steps : std::min(inner_lengths[r], inner_steps));
}

// out[g, t] = x[t, g] for the steps of the block, 0 for lanes past them; x[t] if x has one number for all groups
template <int N, int Groups, int Lanes, class T>
void to_lanes(cpu, const paired_steps& of, const operand<const T>& x, const operand<T>& out) {
  static_assert(N == 1 || N == Groups);
  for (int r = 0; r < of.rows; ++r) {
    const int block = of.block.in(r);
    const T* const from = x.data + r * x.row;
    T* const to = out.data + r * out.row;
    for (int g = 0; g < Groups; ++g)
      for (int t = 0; t < Lanes; ++t)
        to[g * Lanes + t] = t < block ? from[t * x.step + (N == 1 ? 0 : g)] : T(0);
  }
}

// out[s, g, t] = sum_f a[t, g, f] b[s, g, f]; 0 for lanes past the block
template <int Groups, int Features, int Lanes, class T>
void pair_dots(cpu, const paired_steps& of, const operand<const T>& a, const operand<const T>& b,
               const operand<T>& out) {
  using V = simd::vector<T>;
  constexpr int panel = simd::right_matrix<T>::panel_width, panels = (Lanes + panel - 1) / panel;
  constexpr int deep = Features < simd::deepest_tile ? Features : simd::deepest_tile;
  alignas(64) T packed[panels * panel * deep];  // [panel][feature][step]
  for (int r = 0; r < of.rows; ++r)
    for (int g = 0; g < Groups; ++g)
      for (int first = 0; first < Features; first += deep) {
        const int depth = Features - first < deep ? Features - first : deep, column = g * Features + first;
        const T* const from = a.data + r * a.row + column;
        for (int t = 0; t < panels * panel; t += V::size)
          simd::pack_columns<V>(of.block.in(r)-t, depth, from + t * a.step, a.step,
                                packed + t / panel * panel * depth + t % panel, panel);
        simd::product<T>(of.inner.in(r), Lanes, depth, {b.data + r * b.row + column, b.step, 1},
                         {packed, panel, panel * depth, true},
                         {out.data + r * out.row + g * Lanes, out.step, first > 0});
      }
}

// out[t, g, f] = sum_s w[s, g, t] v[s, g, f]
template <int Groups, int Features, int Lanes, class T>
void pair_sums(cpu, const paired_steps& of, const operand<const T>& w, const operand<const T>& v,
               const operand<T>& out) {
  for (int r = 0; r < of.rows; ++r) {
    const int block = of.block.in(r), steps = of.inner.in(r);
    const T *const weights = w.data + r * w.row, *const values = v.data + r * v.row;
    T* const to = out.data + r * out.row;
    if (steps == 0) clear_rows<Groups * Features>(cpu{}, block, to, out.step);
    for (int g = 0; g < Groups && steps > 0; ++g)
      simd::product<T>(block, Features, steps, {weights + g * Lanes, 1, w.step},
                       {values + g * Features, v.step, simd::right_matrix<T>::panel_width},
                       {to + g * Features, out.step});
  }
}

// out[s, g, f] += sum_t w[s, g, t] v[t, g, f]
template <int Groups, int Features, int Lanes, class T>
void pair_sums_over_time(cpu, const paired_steps& of, const operand<const T>& w, const operand<const T>& v,
                         const operand<T>& out) {
  for (int r = 0; r < of.rows; ++r)
    for (int g = 0; g < Groups; ++g)
      simd::product<T>(of.inner.in(r), Features, of.block.in(r), {w.data + r * w.row + g * Lanes, w.step, 1},
                       {v.data + r * v.row + g * Features, v.step, simd::right_matrix<T>::panel_width},
                       {out.data + r * out.row + g * Features, out.step, true});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
