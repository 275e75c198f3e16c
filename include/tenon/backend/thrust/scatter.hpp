// The gradient of a table's rows on Thrust: tokens are sorted with their positions, and each token's rows are added up in their order.
// So the work grows with the rows, not with their square, and equal runs give equal bits, the same as the reference's.
#pragma once

#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/scratch.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <thrust/sort.h>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

struct number_token {
  const int* tokens;
  unsigned* sorted;
  int* positions;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t r) const {
    sorted[r] = static_cast<unsigned>(tokens[r]);
    positions[r] = static_cast<int>(r);
  }
};
// Sorts so that equal tokens are adjacent, in the order of their positions. Tokens are compared as unsigned numbers, so that negative
// ones, which have no row in the table, come last in every version of Thrust. A template, so that only a program that scatters compiles
// a sort.
template <class Key>
struct sort_by_token {
  int rows;
  Key* sorted;
  int* positions;
  const char* kernel_name;
  void operator()() const {
    try {
      thrust::stable_sort_by_key(policy_with(scratch::mine()), sorted, sorted + rows, positions);
    } catch (const thrust::system_error& error) { fail(kernel_name, error); }
  }
};
template <class Key>
void sort_tokens(int rows, const int* tokens, Key* sorted, int* positions, const char* kernel_name) {
  for_each_index(rows, number_token{tokens, sorted, positions}, kernel_name);
  queue(sort_by_token<Key>{rows, sorted, positions, kernel_name});
}
// How many of the sorted tokens are below this one, which is the position of its first occurrence.
TENON_HOST_DEVICE inline int tokens_below(const unsigned* sorted, int count, unsigned token) {
  int first = 0, last = count;
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (sorted[middle] < token) first = middle + 1;
    else last = middle;
  }
  return first;
}

// The thread of the first of equal tokens adds up the rows of all of them. ByFrequency: the sum is divided by how many of the `all_count`
// tokens are equal to it.
template <int D, class T, bool ByFrequency>
struct add_rows_of_token {
  int rows, skipped;
  const unsigned* tokens;  // sorted
  const int* positions;
  const T* g;
  std::ptrdiff_t g_row;
  T* dtable;
  int all_count = 0;
  const unsigned* all_tokens = nullptr;  // sorted

  struct columns {
    const add_rows_of_token& all;
    std::ptrdiff_t first;
    template <int Count>
    TENON_HOST_DEVICE void make(int j) const {
      const unsigned token = all.tokens[first];
      T sums[Count]{};
      const T share = all.share_of(token);
      for (std::ptrdiff_t r = first; r < all.rows && all.tokens[r] == token; ++r)
        for (int c = 0; c < Count; ++c) sums[c] += all.g[all.positions[r] * all.g_row + j + c] * share;
      for (int c = 0; c < Count; ++c) all.dtable[std::ptrdiff_t(token) * D + j + c] += sums[c];
    }
  };
  TENON_HOST_DEVICE T share_of(unsigned token) const {
    if (!ByFrequency) return T(1);
    const int first = tokens_below(all_tokens, all_count, token);
    return T(1) / static_cast<T>(tokens_below(all_tokens, all_count, token + 1) - first);
  }
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [first, block] = row_of(index, blocks_of(D));
    const unsigned token = tokens[first];
    const int row = static_cast<int>(token);
    if (row < 0 || row == skipped || (first > 0 && tokens[first - 1] == token)) return;
    with_columns<D>(block, columns{*this, first});
  }
};

}  // namespace thrust_detail

template <int D, class T>
void scatter_add(thrust_device, int rows, const int* tokens, const T* g, std::ptrdiff_t g_stride, int skipped,
                 T* dtable) {
  const thrust_detail::scratch_numbers<unsigned> sorted(rows);
  const thrust_detail::scratch_numbers<int> positions(rows);
  thrust_detail::sort_tokens(rows, tokens, sorted.data(), positions.data(), "scatter_add");
  thrust_detail::for_each_index(std::ptrdiff_t(rows) * thrust_detail::blocks_of(D),
                                thrust_detail::add_rows_of_token<D, T, false>{
                                    rows, skipped, sorted.data(), positions.data(), g, g_stride, dtable});
}
template <int D, class T>
void scatter_add_by_frequency(thrust_device, int rows, const int* tokens, int all_count,
                              const int* all_tokens, const T* g, std::ptrdiff_t g_stride, int skipped,
                              T* dtable) {
  const thrust_detail::scratch_numbers<unsigned> sorted(rows), all(all_count);
  const thrust_detail::scratch_numbers<int> positions(rows), unused(all_count);
  const char* const kernel_name = "scatter_add_by_frequency";
  thrust_detail::sort_tokens(rows, tokens, sorted.data(), positions.data(), kernel_name);
  thrust_detail::sort_tokens(all_count, all_tokens, all.data(), unused.data(), kernel_name);
  thrust_detail::for_each_index(
      std::ptrdiff_t(rows) * thrust_detail::blocks_of(D),
      thrust_detail::add_rows_of_token<D, T, true>{rows, skipped, sorted.data(), positions.data(), g,
                                                   g_stride, dtable, all_count, all.data()});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
