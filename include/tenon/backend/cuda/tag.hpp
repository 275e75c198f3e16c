// The tag of the CUDA backend: kernels of our own where they pay, Thrust's patterns otherwise, by overload rank.
#pragma once

#include "tenon/backend/thrust/tag.hpp"

namespace tenon::backend::inline TENON_DEVICE {

struct cuda : thrust_device {};
template <class... Trades>
struct cuda_with : device_with<cuda, Trades...> {};

}  // namespace tenon::backend::inline TENON_DEVICE
