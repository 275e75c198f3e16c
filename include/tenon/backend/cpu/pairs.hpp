// What a block of steps has with all steps of another sequence: dot products and weighted sums, as products of matrices. The
// steps of the block are side by side (lowering/lanes.hpp): of group g and step t, number g * Lanes + t of a row.
#pragma once

#include "tenon/backend/cpu/rows.hpp"
#include "tenon/backend/cpu/tag.hpp"
#include "tenon/backend/cpu/tile.hpp"
#include "tenon/backend/cpu/transpose.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::backend::inline TENON_INSTRUCTION_SET {

// Steps that a loop takes at once: a tile of a product is so wide.
constexpr int lanes_of_pairs(cpu) { return simd::right_matrix<float>::panel_width; }

// f(row, its steps, its inner steps) for each sequence
template <class F>
void each_sequence(cpu, int rows, const int* lengths, int steps, const int* inner_lengths, int inner_steps,
                   F f) {
  for (int r = 0; r < rows; ++r)
    f(r, lengths == nullptr ? steps : std::min(lengths[r], steps),
      inner_lengths == nullptr ? inner_steps : std::min(inner_lengths[r], inner_steps));
}

// out[g, t] = x[t, g] for the steps of the block, 0 for lanes behind them; where x has one number for all groups, x[t]
template <int N, int Groups, int Lanes, class T>
void to_lanes(cpu, int block, const T* x, std::ptrdiff_t x_step, T* out) {
  static_assert(N == 1 || N == Groups);
  for (int g = 0; g < Groups; ++g)
    for (int t = 0; t < Lanes; ++t) out[g * Lanes + t] = t < block ? x[t * x_step + (N == 1 ? 0 : g)] : T(0);
}

// out[s, g, t] = sum_f a[t, g, f] b[s, g, f]; of lanes behind the block 0
template <int Groups, int Features, int Lanes, class T>
void pair_dots(cpu, int block, int steps, const T* a, std::ptrdiff_t a_step, const T* b,
               std::ptrdiff_t b_step, T* out, std::ptrdiff_t out_step) {
  using V = simd::vector<T>;
  constexpr int panel = simd::right_matrix<T>::panel_width, panels = (Lanes + panel - 1) / panel;
  constexpr int deep = Features < simd::deepest_tile ? Features : simd::deepest_tile;
  alignas(64) T packed[panels * panel * deep];  // [panel][feature][step]
  for (int g = 0; g < Groups; ++g)
    for (int first = 0; first < Features; first += deep) {
      const int depth = Features - first < deep ? Features - first : deep;
      const T* const from = a + g * Features + first;
      for (int t = 0; t < panels * panel; t += V::size)
        simd::pack_columns<V>(block - t, depth, from + t * a_step, a_step,
                              packed + t / panel * panel * depth + t % panel, panel);
      simd::product<T>(steps, Lanes, depth, {b + g * Features + first, b_step, 1},
                       {packed, panel, panel * depth, true}, {out + g * Lanes, out_step, first > 0});
    }
}

// out[t, g, f] = sum_s w[s, g, t] v[s, g, f]
template <int Groups, int Features, int Lanes, class T>
void pair_sums(cpu, int block, int steps, const T* w, std::ptrdiff_t w_step, const T* v,
               std::ptrdiff_t v_step, T* out, std::ptrdiff_t out_step) {
  if (steps == 0) return clear_rows<Groups * Features>(cpu{}, block, out, out_step);
  for (int g = 0; g < Groups; ++g)
    simd::product<T>(block, Features, steps, {w + g * Lanes, 1, w_step},
                     {v + g * Features, v_step, simd::right_matrix<T>::panel_width},
                     {out + g * Features, out_step});
}

// out[s, g, f] += sum_t w[s, g, t] v[t, g, f]
template <int Groups, int Features, int Lanes, class T>
void pair_sums_over_time(cpu, int block, int steps, const T* w, std::ptrdiff_t w_step, const T* v,
                         std::ptrdiff_t v_step, T* out, std::ptrdiff_t out_step) {
  for (int g = 0; g < Groups; ++g)
    simd::product<T>(steps, Features, block, {w + g * Lanes, w_step, 1},
                     {v + g * Features, v_step, simd::right_matrix<T>::panel_width},
                     {out + g * Features, out_step, true});
}

}  // namespace tenon::backend::inline TENON_INSTRUCTION_SET
