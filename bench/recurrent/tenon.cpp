#include "recurrent/tenon.hpp"

static const bool entered =
    bench::recurrent_contest::enter("Tenon", 0, bench::make_tenon<tenon::backend::cpu>);
