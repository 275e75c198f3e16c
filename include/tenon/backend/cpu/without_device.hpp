// Stand for the backends of a device if their header is not included: a session refuses them, and names it. The backends themselves are
// members of `backend`, and hide what a using directive brings.
#pragma once

#include "tenon/backend/cpu/tag.hpp"

namespace tenon::backend {

namespace without_device {
struct cuda : cpu {
  static constexpr const char* header = "#include <tenon/on_device.hpp>";
};
struct thrust_device : cuda {};
}  // namespace without_device
using namespace without_device;

}  // namespace tenon::backend
