// Blocks that are scaled, and an average that follows, on Thrust against the reference.
#include "tenon/backend/thrust/blocks.hpp"

#include "support/guarded_rows.hpp"
#include "tenon/backend/reference/numbers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace tenon::test {

using backend::reference, backend::thrust_device;

TEST_CASE_TEMPLATE("as the reference, and nothing beyond the block", T, float, double) {
  for (int count : {0, 1, 5, 1025}) {
    CAPTURE(count);
    noise random(7);
    guarded_rows<T> x(1, count, count + 1, random), y(1, count, count + 1, random), y_(1, count, count + 1);
    y_.fill([&](int, int k) { return y(0, k); });
    for (const T share : {T(1), T(0.125), T(0)}) {
      move_towards(thrust_device{}, count, share, x.data(), y.data());
      move_towards(reference{}, count, share, x.data(), y_.data());
      CHECK(distance(y, y_.numbers()) <= double(std::numeric_limits<T>::epsilon()));
    }
    for (const T factor : {T(0.75), T(-2), std::numeric_limits<T>::infinity()}) {
      scale_elements(thrust_device{}, count, factor, y.data());
      scale_elements(reference{}, count, factor, y_.data());
      CHECK(distance(y, y_.numbers()) <= double(std::numeric_limits<T>::epsilon()));
    }
    CHECK((x.intact() && y.intact() && y_.intact()));
  }
}

}  // namespace tenon::test
