// Sums over the lanes of a warp, of which each lane keeps a share.
#pragma once

#include "tenon/backend/cuda/launch.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// Adds up `Count` numbers over the lanes of a warp that differ in the bits Bit, Bit / 2, .. Last. At each bit a lane keeps one half of the
// sums and gives the other away; an odd number of sums all lanes keep, and the lane whose bit is zero writes them.
template <int Count, int Bit, int Last>
struct shared_sums {
  static constexpr bool halves = Count % 2 == 0;
  using rest = shared_sums<halves ? Count / 2 : Count, Bit / 2, Last>;
  static constexpr int kept = rest::kept;
  // The first of the sums that a lane keeps, and whether it writes them.
  TENON_HOST_DEVICE static constexpr int first(int lane) {
    return (halves && (lane & Bit) != 0 ? Count / 2 : 0) + rest::first(lane);
  }
  TENON_HOST_DEVICE static constexpr bool writes(int lane) {
    return (halves || (lane & Bit) == 0) && rest::writes(lane);
  }
  template <class Thread, class T>
  TENON_KERNEL static void add(Thread& thread, T* sums) {
    if constexpr (halves) {
      constexpr int half = Count / 2;
      const bool is_upper = (thread.index & Bit) != 0;
      TENON_UNROLL for (int i = 0; i < half; ++i) {
        const T mine = is_upper ? sums[i + half] : sums[i], other = is_upper ? sums[i] : sums[i + half];
        sums[i] = mine + thread.from_lane(other, Bit);
      }
    } else {
      TENON_UNROLL for (int i = 0; i < Count; ++i) sums[i] += thread.from_lane(sums[i], Bit);
    }
    rest::add(thread, sums);
  }
};
template <int Count, int Bit, int Last>
requires(Bit < Last) struct shared_sums<Count, Bit, Last> {
  static constexpr int kept = Count;
  TENON_HOST_DEVICE static constexpr int first(int) { return 0; }
  TENON_HOST_DEVICE static constexpr bool writes(int) { return true; }
  template <class Thread, class T>
  TENON_KERNEL static void add(Thread&, T*) {}
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
