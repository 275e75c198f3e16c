// Tenon's reference backend: the formulas as plain loops. Without the large rows, which would take minutes.
#include "sequences/tenon.hpp"

static const bool entered =
    bench::sequence_contest::enter("naive reference", 9, [](const bench::sequence_work& w) {
      return w.describe().multiply_adds > 1e9 ? nullptr : bench::make_tenon<tenon::backend::reference>(w);
    });
