// Numbers that a block passes to others through memory: what says that a number is there is the number itself.
#pragma once

#include "tenon/backend/thrust/system.hpp"
#include "tenon/meta/host_device.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// What memory has where a number is yet to be published: all bits are set. That is not a number, and not the one that operations give.
template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
inline constexpr T unpublished = __builtin_bit_cast(T, ~bits_of<T>(0));

template <class T>
TENON_HOST_DEVICE constexpr bool is_published(T x) {
  return __builtin_bit_cast(bits_of<T>, x) != ~bits_of<T>(0);
}
template <class T>
TENON_HOST_DEVICE constexpr T publishable(T x) {
  return is_published(x) ? x : std::numeric_limits<T>::quiet_NaN();
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
