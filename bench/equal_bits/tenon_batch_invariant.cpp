#define TENON_BATCH_INVARIANT 1
#include "equal_bits/tenon.hpp"

static const bool entered =
    bench::equal_bits_contest::enter("a row as alone", 1, bench::make_tenon<tenon::backend::cpu>);
