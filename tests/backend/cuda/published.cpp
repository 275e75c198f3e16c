// What says that a number is there: any result of an operation, infinities and NaN among them, is published; `unpublished` never is.
#include "tenon/backend/cuda/published.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

namespace tenon::test {

using namespace backend::cuda_detail;

TEST_CASE_TEMPLATE("numbers, infinities and NaN are published", T, float, double) {
  using limits = std::numeric_limits<T>;
  const T zero = 0;
  for (const T x : {T(0), -T(0), T(1), -T(1), limits::max(), limits::lowest(), limits::denorm_min(),
                    limits::infinity(), -limits::infinity()}) {
    CHECK(is_published(x));
    CHECK(publishable(x) == x);
  }
  for (const T x : {limits::quiet_NaN(), -limits::quiet_NaN(), std::log(T(-1)),
                    limits::infinity() - limits::infinity(), limits::infinity() * zero})
    CHECK(is_published(x));
}
TEST_CASE_TEMPLATE("memory of set bits is unpublished, and is published as another NaN", T, float, double) {
  T x;
  std::memset(&x, 0xff, sizeof x);
  CHECK(!is_published(x));
  CHECK(std::memcmp(&x, &unpublished<T>, sizeof x) == 0);
  CHECK(std::isnan(x));
  CHECK(is_published(publishable(x)));
  CHECK(std::isnan(publishable(x)));
}

}  // namespace tenon::test
