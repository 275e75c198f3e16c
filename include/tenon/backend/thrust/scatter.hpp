// The gradient of a table's rows on Thrust: tokens are sorted with their positions, and each token's rows are added up in their order.
// So the work grows with the rows, not with their square, and equal runs give equal bits: those of the reference.
#pragma once

#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/scratch.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <thrust/sort.h>

namespace tenon::backend {

namespace thrust_detail {

struct number_token {
  const int* tokens;
  int *sorted, *positions;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t r) const {
    sorted[r] = tokens[r];
    positions[r] = static_cast<int>(r);
  }
};
// Equal tokens come side by side, in the order of their positions; negative ones may come first or last, as Thrust sorts numbers by
// their bits in some versions. A template: only a program that scatters compiles a sort.
template <class Index>
void sort_tokens(int rows, const Index* tokens, Index* sorted, Index* positions, const char* pattern) {
  for_each_index(rows, number_token{tokens, sorted, positions}, pattern);
  try {
    thrust::stable_sort_by_key(policy_with(scratch::mine()), sorted, sorted + rows, positions);
  } catch (const thrust::system_error& error) { fail(pattern, error); }
}

// The first of equal tokens adds up the rows of all of them. By frequency: divided by how many of `counted` tokens are the same.
template <int D, class T, bool ByFrequency>
struct add_rows_of_token {
  int rows, skipped;
  const int *tokens, *positions;  // sorted
  const T* g;
  std::ptrdiff_t g_row;
  T* dtable;
  int counted = 0;
  const int* all_tokens = nullptr;  // in any order

  struct columns {
    const add_rows_of_token& all;
    std::ptrdiff_t first;
    template <int Count>
    TENON_HOST_DEVICE void make(int j) const {
      const int token = all.tokens[first];
      T sums[Count]{};
      const T share = all.share_of(token);
      for (std::ptrdiff_t r = first; r < all.rows && all.tokens[r] == token; ++r)
        for (int c = 0; c < Count; ++c) sums[c] += all.g[all.positions[r] * all.g_row + j + c] * share;
      for (int c = 0; c < Count; ++c) all.dtable[std::ptrdiff_t(token) * D + j + c] += sums[c];
    }
  };
  TENON_HOST_DEVICE T share_of(int token) const {
    if (!ByFrequency) return T(1);
    int count = 0;
    for (int k = 0; k < counted; ++k) count += all_tokens[k] == token;
    return T(1) / static_cast<T>(count);
  }
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [first, block] = row_of(index, blocks_of(D));
    const int token = tokens[first];
    if (token < 0 || token == skipped || (first > 0 && tokens[first - 1] == token)) return;
    with_columns<D>(block, columns{*this, first});
  }
};

}  // namespace thrust_detail

template <int D, class T>
void scatter_add(thrust_device, int rows, const int* tokens, const T* g, std::ptrdiff_t g_stride, int skipped,
                 T* dtable) {
  const thrust_detail::scratch_numbers<int> sorted(rows), positions(rows);
  thrust_detail::sort_tokens(rows, tokens, sorted.data(), positions.data(), "scatter_add");
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * thrust_detail::blocks_of(D),
                                thrust_detail::add_rows_of_token<D, T, false>{
                                    rows, skipped, sorted.data(), positions.data(), g, g_stride, dtable});
}
template <int D, class T>
void scatter_add_by_frequency(thrust_device, int rows, const int* tokens, int counted, const int* all_tokens,
                              const T* g, std::ptrdiff_t g_stride, int skipped, T* dtable) {
  const thrust_detail::scratch_numbers<int> sorted(rows), positions(rows);
  thrust_detail::sort_tokens(rows, tokens, sorted.data(), positions.data(), "scatter_add_by_frequency");
  thrust_detail::for_each_index(
      std::ptrdiff_t(rows) * thrust_detail::blocks_of(D),
      thrust_detail::add_rows_of_token<D, T, true>{rows, skipped, sorted.data(), positions.data(), g,
                                                   g_stride, dtable, counted, all_tokens});
}

}  // namespace tenon::backend
