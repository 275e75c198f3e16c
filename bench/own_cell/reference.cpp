// Tenon's reference backend: the formulas as plain loops.
#include "own_cell/tenon.hpp"

static const bool entered =
    bench::own_cell_contest::enter("naive reference", 9, bench::make_tenon<tenon::backend::reference>);
