// Tenon with accuracy traded for speed: weights as bfloat16 where they stream from beyond the first cache, and
// faster functions where a step waits for exponentials.
#include "recurrent/tenon.hpp"

namespace bench {
namespace {

using namespace tenon::backend;

std::unique_ptr<contender> with_bfloat16(const recurrent_work& w) {
  return w.size >= 64 ? make_tenon<cpu_with<bfloat16_weights>>(w) : nullptr;
}
std::unique_ptr<contender> with_fast_math(const recurrent_work& w) {
  return w.size <= 33 ? make_tenon<cpu_with<fast_math>>(w) : nullptr;
}

const bool entered = recurrent_contest::enter("Tenon, bfloat16 weights", 1, with_bfloat16, 1e-2) &&
                     recurrent_contest::enter("Tenon, fast_math", 1, with_fast_math, 1e-6);

}  // namespace
}  // namespace bench
