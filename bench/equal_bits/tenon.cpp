#include "equal_bits/tenon.hpp"

static const bool entered =
    bench::equal_bits_contest::enter("Tenon", 0, bench::make_tenon<tenon::backend::cpu>);
