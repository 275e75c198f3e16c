// Dropout (Srivastava et al. 2014), inverted: elements that are kept are scaled by 1 / (1 - rate). The mask is
// computed again wherever it is needed; it depends only on seed, stream and position.
#pragma once

#include "tenon/backend/random.hpp"
#include "tenon/backend/reference/tag.hpp"

#include <cstddef>
#include <cstdint>

namespace tenon::inline v0_1::backend {

// y[i] = x[i] / (1 - rate) where uniform(seed, stream, i) >= rate, else 0. Also computes dL/dx from dL/dy.
template <class T>
void dropout_elements(reference, std::ptrdiff_t count, double rate, std::uint64_t seed, std::uint64_t stream,
                      const T* x, T* y) {
  const T scale = T(1 / (1 - rate));
  const auto limit = static_cast<std::uint32_t>(rate * 0x1p24);
  for (std::ptrdiff_t i = 0; i < count; i += 4) {
    const philox_block random = philox(seed, stream, static_cast<std::uint64_t>(i / 4));
    for (std::ptrdiff_t k = 0; k < 4 && i + k < count; ++k)
      y[i + k] = (random.word[k] >> 8) >= limit ? x[i + k] * scale : T(0);
  }
}

}  // namespace tenon::inline v0_1::backend
