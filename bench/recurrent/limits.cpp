#include "support/limits.hpp"

#include "recurrent/work.hpp"

static const bool entered = bench::enter_limits<bench::recurrent_work>();
