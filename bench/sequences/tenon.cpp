#include "sequences/tenon.hpp"

static const bool entered =
    bench::sequence_contest::enter("Tenon", 0, bench::make_tenon<tenon::backend::cpu>);
