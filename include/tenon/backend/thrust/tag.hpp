// The tag of the Thrust backend: it runs on the device that THRUST_DEVICE_SYSTEM selects, a GPU under nvcc or a plain CPU. Its operands
// are in the device's memory, so no kernel can fall back to the reference.
#pragma once

#include "tenon/backend/thrust/system.hpp"
#include "tenon/backend/trades.hpp"

#include <type_traits>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

struct thrust_device {};
// 16 MiB of floats: a kernel that reads or writes them takes longer than its launch, and the next one finds them in a GPU's second cache.
constexpr long numbers_in_block(thrust_device) { return 4 * 1024 * 1024; }

// A device backend that trades accuracy for speed. It is like `Device` except for what the trades replace.
template <class Device, class... Trades>
struct device_with : Device, Trades... {
  static_assert((std::is_same_v<Trades, bfloat16_weights> && ...),
                "a backend on a device trades bfloat16_weights alone; leave out the others");
};
template <class... Trades>
struct thrust_device_with : device_with<thrust_device, Trades...> {};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
