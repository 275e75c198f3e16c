// The tag of the CUDA backend: our own kernels where they are faster, otherwise the Thrust backend's, chosen by overload resolution.
#pragma once

#include "tenon/backend/thrust/tag.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

struct cuda : thrust_device {};
template <class... Trades>
struct cuda_with : device_with<cuda, Trades...> {};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
