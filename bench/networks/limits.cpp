#include "support/limits.hpp"

#include "networks/work.hpp"

static const bool entered = bench::enter_limits<bench::network_work>();
