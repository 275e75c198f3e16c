#include "networks/tenon.hpp"

static const bool entered = bench::network_contest::enter("Tenon", 0, bench::make_tenon<tenon::backend::cpu>);
