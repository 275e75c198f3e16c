// Tenon with accuracy traded for speed: weights of 16 and 8 bits where they do not fit in the first cache, faster functions
// where a step waits for exponentials, and the processor's modes set by the caller.
#include "recurrent/tenon.hpp"

namespace bench {
namespace {

using namespace tenon::backend;

std::unique_ptr<contender> with_bfloat16(const recurrent_work& w) {
  return w.size >= 64 ? make_tenon<cpu_with<bfloat16_weights>>(w) : nullptr;
}
std::unique_ptr<contender> with_int8(const recurrent_work& w) {
  return w.size >= 64 ? make_tenon<cpu_with<int8_weights>>(w) : nullptr;
}
std::unique_ptr<contender> with_fast_math(const recurrent_work& w) {
  return w.size <= 33 ? make_tenon<cpu_with<fast_math>>(w) : nullptr;
}

std::unique_ptr<contender> with_modes(const recurrent_work& w) {
  std::unique_ptr<contender> made;
  if (w.steps == 1)
    with_size<7, 8, 13, 16, 32, 33, 64>(w.size, [&]<int N>() {
      if (w.kind == cell::lstm)
        made = std::make_unique<with_modes_set<tenon_step<tenon::nn::lstm<N>, N, cpu>>>(w);
      else made = std::make_unique<with_modes_set<tenon_step<tenon::nn::gru<N>, N, cpu>>>(w);
    });
  return made;
}

const bool entered = recurrent_contest::enter("Tenon, bfloat16 weights", 1, with_bfloat16, 1e-2) &&
                     recurrent_contest::enter("Tenon, int8 weights", 1, with_int8, 1e-2) &&
                     recurrent_contest::enter("Tenon, fast_math", 1, with_fast_math, 1e-6) &&
                     recurrent_contest::enter("Tenon, modes set before", 1, with_modes);

}  // namespace
}  // namespace bench
