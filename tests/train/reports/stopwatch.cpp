// The stopwatch runs forward from zero.
#include "tenon/train/reports/stopwatch.hpp"

#include <doctest/doctest.h>

TEST_CASE("seconds go up from zero") {
  const tenon::detail::stopwatch watch;
  const double first = watch.seconds();
  double later = first;
  for (int k = 0; k < 10'000'000 && later == first; ++k) later = watch.seconds();
  CHECK(first >= 0);
  CHECK(first < 60);
  CHECK(later > first);
  CHECK(later < 60);
}
