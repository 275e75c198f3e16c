// A period that is misspelt.
// expect(g++): step_decay takes a rate, a period in epochs or as in step_decay(1e-3, {.steps = 1000}), whose names are .epochs, .steps, .after, in this order, then a factor
// expect(clang): step_decay takes a rate, a period in epochs or as in step_decay(1e-3, {.steps = 1000}), whose names are .epochs, .steps, .after, in this order, then a factor
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
const auto rate = schedules::step_decay(1e-2, {.epoch = 0.5});
#else
const auto rate = schedules::step_decay(1e-2, {.epochs = 0.5});
#endif
