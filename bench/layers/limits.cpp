#include "support/limits.hpp"

#include "layers/work.hpp"

static const bool entered = bench::enter_limits<bench::layer_work>("limit: bytes in and out");
