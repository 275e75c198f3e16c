// The tag of the Thrust backend: it runs where THRUST_DEVICE_SYSTEM says, on a GPU under nvcc or on a plain CPU. Its operands are in
// the device's memory, so that nothing can fall back to the reference.
#pragma once

namespace tenon::backend {

struct thrust_device {};

}  // namespace tenon::backend
