// --backend cuda
#include <tenon/on_device.hpp>

#include "learned.hpp"

static const added_backend added("cuda", &task::learned<tenon::backend::cuda>);
