// What products on tensor cores have in common. Tensor cores multiply numbers of 11 bits; a float is the sum of two such numbers, but for its
// last bits, and a product of two floats is three products of such parts: the fourth is less than a rounding (Markidis et al. 2018,
// https://arxiv.org/abs/1803.04014). Tensor cores cut sums off instead of rounding them, so they add up only sixteen terms, and the
// results are added as floats (Ootomo and Yokota 2022, https://arxiv.org/abs/2203.03341). From 256 terms on the error is below that of a
// sum of floats; sums of a few terms have an error of up to 2^-21 of the largest term. An infinite factor gives NaN.
#pragma once

#include "tenon/backend/cuda/several.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// A block computes Rows x Columns numbers of a product, sixteen terms of their sums at a time, and a warp WarpRows x WarpColumns of them.
// `Stages` tiles of sixteen terms are in shared memory: while one is read the others are fetched.
template <int Rows, int Columns, int WarpRows, int WarpColumns, int Stages>
struct tensor_tile {
  static_assert(Rows % WarpRows == 0 && Columns % WarpColumns == 0);
  static constexpr int rows = Rows, columns = Columns, warp_rows = WarpRows, warp_columns = WarpColumns;
  static constexpr int stages = Stages, warps_along = Columns / WarpColumns;
  static constexpr int threads = Rows / WarpRows * warps_along * warp_size;

  TENON_HOST_DEVICE static constexpr int first_row(int thread) {
    return thread / warp_size / warps_along * WarpRows;
  }
  TENON_HOST_DEVICE static constexpr int first_column(int thread) {
    return thread / warp_size % warps_along * WarpColumns;
  }
};
inline constexpr int tensor_terms = 16;

// How the lines of one side, rows of the left or columns of the right, and sixteen terms of each lie in shared memory. AlongTerms: memory
// runs along the terms; otherwise it runs across them. Lane l reads, of each group of eight lines, terms l % 4 * 4 .. + 3 of line l / 4.
// Which lines of a tile are a group is free: the results lie accordingly. Together: the number of groups that are read at once.
template <int Lines, bool AlongTerms, int Together = 4>
struct tensor_side {
  static constexpr int stride = AlongTerms ? tensor_terms : Lines + 8;  // + 8 against bank conflicts
  static constexpr int size = AlongTerms ? Lines * tensor_terms : tensor_terms * stride;
  static constexpr int fours = Lines * tensor_terms / 4;

  // The first line and the first term of the e-th four numbers that are fetched, and their place.
  struct four {
    int line, term, place;
  };
  TENON_HOST_DEVICE static constexpr four four_at(int e) {
    if constexpr (AlongTerms) {
      return {e / (tensor_terms / 4), e % (tensor_terms / 4) * 4, e * 4};
    } else {
      const int term = e / (Lines / 4), line = e % (Lines / 4) * 4;
      return {line, term, row_of_term(term) * stride + line};
    }
  }
  // Which line of a tile is line `n` of a group.
  TENON_HOST_DEVICE static constexpr int line(int group, int n) {
    return AlongTerms ? group * 8 + n : group / Together * 8 * Together + n * Together + group % Together;
  }
  // Reads the lane's terms of Groups groups from line `first` on.
  template <int Groups, class Thread, class Array>
  TENON_KERNEL static void read(Thread& thread, Array& tiles, int tile, int first,
                                float (&terms)[Groups][4]) {
    const int lane = thread.index % warp_size;
    if constexpr (AlongTerms) {
      TENON_UNROLL for (int g = 0; g < Groups; ++g) {
        const auto four =
            tiles.template at<several<float, 4>>(tile + (first + g * 8 + lane / 4) * stride + lane % 4 * 4);
        TENON_UNROLL for (int n = 0; n < 4; ++n) terms[g][n] = four.numbers[n];
      }
    } else {
      static_assert(Groups % Together == 0);
      TENON_UNROLL for (int g = 0; g < Groups; g += Together) {
        TENON_UNROLL for (int n = 0; n < 4; ++n) {
          const auto lines = tiles.template at<several<float, Together>>(
              tile + row_of_term(lane % 4 * 4 + n) * stride + first + g * 8 + lane / 4 * Together);
          TENON_UNROLL for (int i = 0; i < Together; ++i) terms[g + i][n] = lines.numbers[i];
        }
      }
    }
  }

 private:
  // The four lanes of a line read terms 0, 4, 8 and 12 at once, from neighbouring rows.
  TENON_HOST_DEVICE static constexpr int row_of_term(int term) { return term % 4 * 4 + term / 4; }
};

// A lane's terms of Groups groups, each as the sum of two numbers: the nearest one of 11 bits, and of the rest tensor cores read 11 bits.
template <int Groups>
struct tensor_factors {
  float big[Groups][4], small[Groups][4];

  TENON_KERNEL explicit tensor_factors(const float (&terms)[Groups][4]) {
    TENON_UNROLL for (int g = 0; g < Groups; ++g) {
      TENON_UNROLL for (int n = 0; n < 4; ++n) {
        const auto rounded = std::bit_cast<std::uint32_t>(terms[g][n]) + 0x1000u;
        big[g][n] = std::bit_cast<float>(rounded & 0xffffe000u);
        small[g][n] = terms[g][n] - big[g][n];
      }
    }
  }
};

// sums[i][First + j] += the products of groups 2 i and 2 i + 1 of the left with group j of the right, of sixteen terms. A lane has
// sums[i][..][h * 2 + c] of line lane / 4 of group 2 i + h and line lane % 4 * 2 + c of the group of the right.
template <int Pairs, int Columns, int First = 0, class Thread, int All>
TENON_KERNEL void multiply_add(Thread& thread, const tensor_factors<2 * Pairs>& left,
                               const tensor_factors<Columns>& right, float (&sums)[Pairs][All][4]) {
  static_assert(First + Columns <= All);
  constexpr int together = Columns % 4 == 0 ? 4 : Columns % 2 == 0 ? 2 : 1;
  const auto add = [&](auto& sum, const auto& a, int i, const auto& b, int j, int eight) {
    const float of_left[4]{a[2 * i][2 * eight], a[2 * i + 1][2 * eight], a[2 * i][2 * eight + 1],
                           a[2 * i + 1][2 * eight + 1]};
    const float of_right[2]{b[j][2 * eight], b[j][2 * eight + 1]};
    thread.multiply_add(sum, of_left, of_right);
  };
  TENON_UNROLL for (int i = 0; i < Pairs; ++i) {
    TENON_UNROLL for (int j = 0; j < Columns; j += together) {
      float few[together][4]{};
      TENON_UNROLL for (int eight = 0; eight < 2; ++eight) {
        TENON_UNROLL for (int n = 0; n < together; ++n) add(few[n], left.small, i, right.big, j + n, eight);
        TENON_UNROLL for (int n = 0; n < together; ++n) add(few[n], left.big, i, right.small, j + n, eight);
        TENON_UNROLL for (int n = 0; n < together; ++n) add(few[n], left.big, i, right.big, j + n, eight);
      }
      TENON_UNROLL for (int n = 0; n < together; ++n) {
        TENON_UNROLL for (int c = 0; c < 4; ++c) sums[i][First + j + n][c] += few[n][c];
      }
    }
  }
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
