// Tenon's reference backend: the formulas as plain loops.
#include "layers/tenon.hpp"

static const bool entered =
    bench::layer_contest::enter("naive reference", 9, bench::make_tenon<tenon::backend::reference>);
