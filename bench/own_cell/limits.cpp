#include "support/limits.hpp"

#include "own_cell/work.hpp"

static const bool entered = bench::enter_limits<bench::own_cell_work>();
