// Tenon's reference backend: the formulas as plain loops.
#include "recurrent/tenon.hpp"

static const bool entered =
    bench::recurrent_contest::enter("naive reference", 9, bench::make_tenon<tenon::backend::reference>);
