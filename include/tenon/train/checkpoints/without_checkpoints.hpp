// Errors for io::save_checkpoint(trainer, path) and io::load_checkpoint(trainer, path) if their header is not included. If it is, they are
// errors for calls that its functions do not accept.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"

namespace tenon {

namespace io {

#define TENON_SENTENCE                                                                                 \
  "save_checkpoint and load_checkpoint take a trainer and a path, as in io::save_checkpoint(trainer, " \
  "'run.ckpt'), and are in a header of their own: #include <tenon/train.hpp>"
template <TENON_SAYS_AND(TENON_SENTENCE) class Trainer>
void save_checkpoint(const volatile Trainer&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class Trainer>
void load_checkpoint(const volatile Trainer&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace io

struct checkpoint;  // an option of fit: #include <tenon/train.hpp>

}  // namespace tenon
