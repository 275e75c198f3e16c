// Neighbouring numbers that are read at once, and sums over the lanes of a warp.
#pragma once

#include "tenon/backend/cuda/launch.hpp"

#include <cstddef>
#include <cstdint>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

template <class T, int Count>
struct alignas(Count * sizeof(T) < 16 ? Count * sizeof(T) : 16) several {
  static_assert((Count & (Count - 1)) == 0);
  T numbers[Count];
};
template <int Count, class T>
TENON_KERNEL several<T, Count> several_at(const T* from) {
  return *reinterpret_cast<const several<T, Count>*>(from);
}
// Can rows of numbers, `row` apart, be read `Count` numbers at a time?
template <int Count, class T>
bool can_read(const T* from, std::ptrdiff_t row) {
  return reinterpret_cast<std::uintptr_t>(from) % alignof(several<T, Count>) == 0 && row % Count == 0;
}

// Adds up Rows x Columns numbers over the four lanes of a warp that differ in two bits, Bit and the next one. If Rows is a multiple of four,
// each lane keeps the sums of its own quarter of the rows and gives the others away; otherwise each lane gets all rows.
template <int Rows, int Columns, int Bit = 8>
struct sums_of_lanes {
  static constexpr bool scatters = Rows % 4 == 0;
  static constexpr int rows = scatters ? Rows / 4 : Rows;
  // The first row that a lane keeps, and whether the lane writes its rows.
  TENON_HOST_DEVICE static constexpr int first_row(int lane) {
    return scatters ? (lane & 2 * Bit ? Rows / 2 : 0) + (lane & Bit ? Rows / 4 : 0) : 0;
  }
  TENON_HOST_DEVICE static constexpr bool keeps(int lane) { return scatters || (lane & 3 * Bit) == 0; }

  template <class Thread, class T>
  TENON_KERNEL static void add(Thread& thread, T (&sums)[Rows][Columns]) {
    if constexpr (scatters) {
      give_half<Rows / 2>(thread, 2 * Bit, sums);
      give_half<Rows / 4>(thread, Bit, sums);
    } else {
      TENON_UNROLL for (int i = 0; i < Rows; ++i) {
        TENON_UNROLL for (int c = 0; c < Columns; ++c) {
          sums[i][c] += thread.from_lane(sums[i][c], 2 * Bit);
          sums[i][c] += thread.from_lane(sums[i][c], Bit);
        }
      }
    }
  }

 private:
  template <int Half, class Thread, class T>
  TENON_KERNEL static void give_half(Thread& thread, int bit, T (&sums)[Rows][Columns]) {
    const bool is_upper = (thread.index & bit) != 0;
    TENON_UNROLL for (int i = 0; i < Half; ++i) {
      TENON_UNROLL for (int c = 0; c < Columns; ++c) {
        const T mine = is_upper ? sums[i + Half][c] : sums[i][c],
                other = is_upper ? sums[i][c] : sums[i + Half][c];
        sums[i][c] = mine + thread.from_lane(other, bit);
      }
    }
  }
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
