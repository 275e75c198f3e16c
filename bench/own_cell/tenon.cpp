#include "own_cell/tenon.hpp"

static const bool entered =
    bench::own_cell_contest::enter("Tenon", 0, bench::make_tenon<tenon::backend::cpu>);
