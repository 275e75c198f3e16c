// Learning rates over time. Each is a function of what is done, for `rule().rate` between epochs or steps.
#pragma once

#include <cmath>

namespace tenon {

// From `rate` down to 0 along half a cosine (Loshchilov and Hutter 2017), `done` of `total` being done.
inline double cosine(double rate, long done, long total) {
  constexpr double pi = 3.14159265358979323846;
  if (done >= total) return 0;
  return 0.5 * rate * (1 + std::cos(pi * static_cast<double>(done) / static_cast<double>(total)));
}
// `rate`, multiplied by `factor` after every `period`.
inline double step_decay(double rate, long done, long period, double factor = 0.5) {
  return rate * std::pow(factor, static_cast<double>(done / period));
}
// `rate`, multiplied by `factor` each time.
inline double exponential(double rate, long done, double factor) { return rate * std::pow(factor, static_cast<double>(done)); }
// Linearly from 0 to `rate` within `period`, then `rate`.
inline double warm_up(double rate, long done, long period) {
  return done >= period ? rate : rate * static_cast<double>(done + 1) / static_cast<double>(period);
}

}  // namespace tenon
