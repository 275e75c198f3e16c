#include "support/limits.hpp"

#include "language/work.hpp"

static const bool entered = bench::enter_limits<bench::language_work>();
