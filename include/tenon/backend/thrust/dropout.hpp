// Dropout on Thrust, with the same bits as the other backends: one thread for each block of four random numbers.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/random.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <cstdint>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

template <class T>
struct drop_four {
  std::ptrdiff_t count;
  std::uint32_t limit;
  T scale;
  const run_numbers* numbers;
  std::uint64_t stream;
  const T* x;
  T* y;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t block) const {
    const philox_block random =
        philox(numbers->seed, numbers->step << 16 | stream, static_cast<std::uint64_t>(block));
    for (std::ptrdiff_t k = 0, i = block * 4; k < 4 && i < count; ++k, ++i)
      y[i] = (random.word[k] >> 8) >= limit ? x[i] * scale : T(0);
  }
};

}  // namespace thrust_detail

// Seed and training step are numbers on the device; `stream` makes the random numbers differ otherwise.
template <class T>
void dropout_elements(thrust_device, std::ptrdiff_t count, double rate, const run_numbers* numbers,
                      std::uint64_t stream, const T* x, T* y) {
  const auto limit = static_cast<std::uint32_t>(rate * 0x1p24);
  thrust_detail::for_each_index(
      (count + 3) / 4, thrust_detail::drop_four<T>{count, limit, T(1 / (1 - rate)), numbers, stream, x, y});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
