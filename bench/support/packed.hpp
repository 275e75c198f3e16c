// Matrices packed for kernels written by hand on xsimd: the gates of one vector of units, a tile, are side by side,
// so that one pass over the weights computes all their sums.
#pragma once

#include "support/vector_math.hpp"

#include <vector>

namespace bench {

// weights[tile][k][gate][lane] of matrices [N, N], one for each gate; zeros past N
template <int N, int Gates>
struct packed_matrix {
  static constexpr int width = width_of<N>;
  alignas(64) float data[tiles_of<N>][N][Gates][width]{};

  void set(const std::vector<float>& w, int from, int to) {  // gate `to` is gate `from` of w [gates * N, N]
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < N; ++k)
        data[n / width][k][to][n % width] = w[static_cast<std::size_t>((from * N + n) * N + k)];
  }
};
// weights[group][k][tile of the group][lane] of one matrix [N, N]: Group neighbouring tiles side by side
template <int N, int Group>
struct packed_group {
  static constexpr int width = width_of<N>, groups = tiles_of<N> / Group;
  static_assert(tiles_of<N> % Group == 0);
  alignas(64) float data[groups][N][Group][width]{};

  void set(const std::vector<float>& w) {
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < N; ++k)
        data[n / width / Group][k][n / width % Group][n % width] = w[static_cast<std::size_t>(n * N + k)];
  }
};
template <int N, int Gates>
struct packed_vector {
  static constexpr int width = width_of<N>;
  alignas(64) float data[tiles_of<N>][Gates][width]{};

  void add(const std::vector<float>& b, int from, int to) {
    for (int n = 0; n < N; ++n) data[n / width][to][n % width] += b[static_cast<std::size_t>(from * N + n)];
  }
};

// sums[tile][gate] += W x for Tiles tiles; Split sums for each, so that additions do not wait for each other
template <int Tiles, int Gates, int Split, int N>
[[gnu::always_inline]] inline void multiply(const float (*w)[N][Gates][width_of<N>], const float* x,
                                            lanes_of<N> (&sums)[Tiles][Gates]) {
  using V = lanes_of<N>;
  V part[Split][Tiles][Gates];
  const auto each = [](auto f) __attribute__((always_inline)) {
    unrolled<Tiles>([&](auto t) __attribute__((always_inline)) {
      unrolled<Gates>([&](auto g) __attribute__((always_inline)) { f(t, g); });
    });
  };
  const auto add = [&](auto s, int k) __attribute__((always_inline)) {
    const V left(x[k]);
    each([&](auto t, auto g) __attribute__((always_inline)) {
      part[s][t][g] = xsimd::fma(left, V::load_aligned(w[t][k][g]), part[s][t][g]);
    });
  };
  unrolled<Split>([&](auto s) __attribute__((always_inline)) {
    each([&](auto t, auto g) { part[s][t][g] = s == 0 ? sums[t][g] : V(0.f); });
  });
  int k = 0;
  for (; k + Split <= N; k += Split)
    unrolled<Split>([&](auto s) __attribute__((always_inline)) { add(s, k + s); });
  for (; k < N; ++k) add(std::integral_constant<int, 0>{}, k);
  each([&](auto t, auto g) __attribute__((always_inline)) {
    sums[t][g] = part[0][t][g];
    unrolled<Split - 1>([&](auto s) { sums[t][g] += part[s + 1][t][g]; });
  });
}

// sums[row][gate] += W x for Rows rows of x, of one tile
template <int Rows, int Gates, int N>
[[gnu::always_inline]] inline void multiply_rows(const float (&w)[N][Gates][width_of<N>], const float* x,
                                                 lanes_of<N> (&sums)[Rows][Gates]) {
  using V = lanes_of<N>;
  for (int k = 0; k < N; ++k)
    unrolled<Rows>([&](auto r) __attribute__((always_inline)) {
      const V left(x[r * N + k]);
      unrolled<Gates>([&](auto g) __attribute__((always_inline)) {
        sums[r][g] = xsimd::fma(left, V::load_aligned(w[k][g]), sums[r][g]);
      });
    });
}

}  // namespace bench
