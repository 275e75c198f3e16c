#include "support/limits.hpp"

#include "sequences/work.hpp"

static const bool entered = bench::enter_limits<bench::sequence_work>();
