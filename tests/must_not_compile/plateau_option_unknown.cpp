// An option that a schedule does not have.
// expect(g++): reduce_on_plateau takes a rate and options by their names in this order, as in reduce_on_plateau(1e-3, {.patience = 5}): .factor, .patience, .threshold, .cooldown, .min_rate
// expect(clang): reduce_on_plateau takes a rate and options by their names in this order, as in reduce_on_plateau(1e-3, {.patience = 5}): .factor, .patience, .threshold, .cooldown, .min_rate
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
const schedules::reduce_on_plateau rate(1e-2, {.min_lr = 1e-5});
#else
const schedules::reduce_on_plateau rate(1e-2, {.min_rate = 1e-5});
#endif
