// --backend thrust: a GPU by nvcc, in thrust.cu; here one thread of a plain CPU
#include <tenon/on_device.hpp>

#include "learned.hpp"

static const added_backend added("thrust", &task::learned<tenon::backend::thrust_device>);
