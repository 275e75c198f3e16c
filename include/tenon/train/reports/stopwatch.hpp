// stopwatch: seconds since its construction, on a clock that is never set. Not <chrono>, whose calendars cost a tenth
// of the compile time of all of Tenon.
#pragma once

#include "tenon/meta/rounding.hpp"

#include <time.h>

namespace tenon::inline v0_1::detail {

class stopwatch {
 public:
  double seconds() const { return now() - start_; }

 private:
  TENON_ROUNDS_EACH static double now() {
    TENON_ROUNDS_EACH_HERE
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  double start_ = now();
};

}  // namespace tenon::inline v0_1::detail
