// Four neighbouring numbers that are read at once.
#pragma once

#include "tenon/backend/cuda/launch.hpp"

#include <cstddef>
#include <cstdint>

namespace tenon::backend::inline TENON_DEVICE::cuda_detail {

template <class T>
struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) four {
  T numbers[4];
};
template <class T>
TENON_KERNEL four<T> four_at(const T* from) {
  return *reinterpret_cast<const four<T>*>(from);
}
// Are rows at these places, each a multiple of four numbers behind the one before, read in fours?
template <class T>
bool has_fours(const T* from, std::ptrdiff_t row) {
  return reinterpret_cast<std::uintptr_t>(from) % alignof(four<T>) == 0 && row % 4 == 0;
}

}  // namespace tenon::backend::inline TENON_DEVICE::cuda_detail
