// Sums over lanes of which each lane keeps a share, in the emulation: every sum is written once, by a lane that has all of it.
#include "tenon/backend/cuda/shared_sums.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {

using namespace backend::cuda_detail;

// Lane l has number i of its group as a power of its own, so that a sum shows which lanes are part of it.
template <int Count, int Lanes>
struct add_lanes {
  static constexpr int threads = 64;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<double, Lanes * 2 * Count> sums;
  };
  double* to;
  template <class Thread>
  void operator()(Thread& thread) const {
    using all = shared_sums<Count, 16, Lanes>;
    const int lane = thread.index % 32, own = thread.index / 32 * Lanes + lane % Lanes;
    double sums[Count];
    for (int i = 0; i < Count; ++i) sums[i] = double(1ull << (lane / Lanes)) + 1000 * i + 100000 * own;
    all::add(thread, sums);
    for (int i = 0; i < all::kept; ++i)
      if (all::writes(lane)) thread.shared.sums[own * Count + all::first(lane) + i] = sums[i];
    thread.synchronise();
    if (thread.index == 0)
      for (int k = 0; k < Lanes * 2 * Count; ++k)
        to[k] = thread.shared.sums[k];  // reports one that is not written
  }
};
template <int Count, int Lanes>
void check_sums() {
  std::vector<double> got(Lanes * 2 * Count);
  backend::emulation::run(add_lanes<Count, Lanes>{got.data()}, 1, 1, 1);
  constexpr int lanes = 32 / Lanes;
  for (int own = 0; own < 2 * Lanes; ++own)
    for (int i = 0; i < Count; ++i)
      CHECK(got[std::size_t(own * Count + i)] ==
            double((1ull << lanes) - 1) + lanes * (1000.0 * i + 100000.0 * own));
}
TEST_CASE("numbers that can be halved at each bit, at some, and at none") {
  check_sums<32, 8>();
  check_sums<4, 8>();
  check_sums<6, 8>();
  check_sums<3, 8>();
  check_sums<1, 8>();
  check_sums<12, 4>();
  check_sums<2, 1>();
  check_sums<5, 16>();
}

}  // namespace tenon::test
