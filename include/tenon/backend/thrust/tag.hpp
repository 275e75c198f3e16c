// The tag of the Thrust backend: it runs where THRUST_DEVICE_SYSTEM says, on a GPU under nvcc or on a plain
// CPU.
#pragma once

#include "tenon/backend/reference/tag.hpp"

#include <thrust/detail/config.h>

namespace tenon::backend {

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
struct thrust_device {};  // operands are in the GPU's memory: nothing can fall back to the reference
#else
struct thrust_device : reference {};
#endif

}  // namespace tenon::backend
