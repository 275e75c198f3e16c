#include "trained.hpp"

TENON_COMPILE_TRAINING(training, samples);
