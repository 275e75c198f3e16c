#include "layers/tenon.hpp"

static const bool entered = bench::layer_contest::enter("Tenon", 0, bench::make_tenon<tenon::backend::cpu>);
