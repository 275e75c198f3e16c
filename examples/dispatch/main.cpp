// Chooses an amplifier at run time, and compares the outputs of all amplifiers that this machine can run.
#include "amplifier.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

bool has_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}
bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
std::unique_ptr<amplifier> make_best(const amplifier_weights& theta) {
  return has_v4() ? make_v4(theta) : has_v3() ? make_v3(theta) : make_baseline(theta);
}

std::vector<float> played(std::unique_ptr<amplifier> with) {
  std::vector<float> signal(1000);
  for (std::size_t t = 0; t < signal.size(); ++t) signal[t] = std::sin(0.05f * static_cast<float>(t));
  with->process(signal);
  return signal;
}

}  // namespace

int main() {
  const amplifier_weights theta(tenon::seed{1});
  const std::vector<float> best = played(make_best(theta));
  std::printf("%s: the last sample is %.5f\n",
              has_v4()   ? "AVX-512"
              : has_v3() ? "AVX2"
                         : "baseline",
              static_cast<double>(best.back()));
  const auto agrees = [&](std::unique_ptr<amplifier> other) {
    const std::vector<float> y = played(std::move(other));
    for (std::size_t t = 0; t < y.size(); ++t)
      if (!(std::abs(y[t] - best[t]) < 1e-5f)) return false;
    return true;
  };
  return agrees(make_baseline(theta)) && (!has_v3() || agrees(make_v3(theta))) ? 0 : 1;
}
