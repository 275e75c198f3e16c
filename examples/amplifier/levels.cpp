// Which instruction sets this machine has. Compiled for the oldest one, as all that runs before the choice.
#include "effect.hpp"
#include "learned.hpp"
#include "numbers.hpp"

#include <iterator>

namespace amplifier {

std::vector<level> levels() {
  std::vector<level> all{{"baseline", make_baseline}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
    all.push_back({"AVX2", make_v3});
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
      all.push_back({"AVX-512", make_v4});
  }
#endif
  return all;
}

const weights& compiled_in() {
  static_assert(std::ssize(learned) == weights::count(), "learned.hpp has the numbers of another network");
  static const weights theta = with_numbers<network>(learned);
  return theta;
}

}  // namespace amplifier
