// Weights of products stored as bfloat16 on a device: the device's own kernels read other packed weights. Two weights share the memory of
// one float, so that a plan can count their sizes in floats.
#pragma once

#include "tenon/backend/thrust/tag.hpp"
#include "tenon/tensor/bfloat16.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

template <class Device>
using with_bfloat16 = device_with<Device, bfloat16_weights>;

namespace thrust_detail {

constexpr long floats_for(long weights) { return (weights + 1) / 2; }
inline tenon::detail::bfloat16* as_bfloat16(float* packed) {
  return reinterpret_cast<tenon::detail::bfloat16*>(packed);
}
inline const tenon::detail::bfloat16* as_bfloat16(const float* packed) {
  return reinterpret_cast<const tenon::detail::bfloat16*>(packed);
}

}  // namespace thrust_detail

// Sessions with and without bfloat16 weights share the same parameters on the device.
template <class Device>
constexpr Device owner_of_memory(with_bfloat16<Device>) {
  return {};
}

template <int N, int K, class Device>
constexpr long packed_size(with_bfloat16<Device>) {
  return thrust_detail::floats_for(packed_size<N, K>(Device{}));
}
template <int N, int K, class Device>
void pack(with_bfloat16<Device>, const float* w, float* packed) {
  pack<N, K>(Device{}, w, thrust_detail::as_bfloat16(packed));
}
template <int N, int K, class Device>
void matmul(with_bfloat16<Device>, int rows, const float* x, std::ptrdiff_t x_stride, const float* packed,
            float* y, std::ptrdiff_t y_stride) {
  matmul<N, K>(Device{}, rows, x, x_stride, thrust_detail::as_bfloat16(packed), y, y_stride);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
