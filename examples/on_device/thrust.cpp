// --backend thrust: nvcc compiles it for a GPU, as thrust.cu; other compilers for one thread of a plain CPU
#include <tenon/on_device.hpp>

#include "learned.hpp"

static const added_backend added("thrust", &task::learned<tenon::backend::thrust_device>);
