// Tenon's reference backend: the formulas as plain loops.
#include "networks/tenon.hpp"

static const bool entered =
    bench::network_contest::enter("naive reference", 9, bench::make_tenon<tenon::backend::reference>);
