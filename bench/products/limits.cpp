#include "support/limits.hpp"

#include "products/work.hpp"

static const bool entered = bench::enter_limits<bench::product_work>();
