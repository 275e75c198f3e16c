// Products with weights of 8 bits: to the last bit what rounding each number by itself and adding up whole numbers gives.
#include "tenon/backend/cpu/int8_product.hpp"

#include "support/guarded_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tenon::inline v0_1::backend {

using rounding = cpu_with<int8_weights>;
using tenon::test::guarded_rows, tenon::test::noise;

namespace {

// A row in steps of a size, none larger than `limit`; if a number is infinite or none, so is the size.
struct rounded_row {
  std::vector<long> steps{};
  float size = 0;
};
rounded_row rounded(const std::vector<float>& row, int limit) {
  float largest = 0;
  for (const float x : row) {
    if (!std::isfinite(x)) return {std::vector<long>(row.size()), std::numeric_limits<float>::quiet_NaN()};
    largest = std::fmax(largest, std::fabs(x));
  }
  rounded_row all;
  for (const float x : row) {
    const float steps = largest < 1e-30f ? 0 : x * (static_cast<float>(limit) / largest);
    all.steps.push_back(static_cast<long>(std::nearbyint(double(steps))));
  }
  all.size = largest < 1e-30f ? 0 : largest / static_cast<float>(limit);
  return all;
}

template <int N, int K>
std::vector<float> product_of(const std::vector<float>& w, const std::vector<float>& x, int rows) {
  const int limit = static_cast<int>(std::min(32767.0, std::floor(2147483647.0 / (127.0 * K))));
  const auto row = [](const std::vector<float>& of, int r) {
    return std::vector<float>(of.begin() + r * K, of.begin() + (r + 1) * K);
  };
  std::vector<float> y;
  for (int r = 0; r < rows; ++r) {
    const rounded_row from = rounded(row(x, r), limit);
    for (int n = 0; n < N; ++n) {
      const rounded_row by = rounded(row(w, n), 127);
      long sum = 0;
      for (std::size_t k = 0; k < K; ++k) sum += from.steps[k] * by.steps[k];
      CHECK(std::labs(sum) <= 2147483647L);
      y.push_back(static_cast<float>(sum) * (by.size * from.size));
    }
  }
  return y;
}

std::vector<float> numbers_of(const guarded_rows<float>& rows) {
  std::vector<float> all;
  for (const double x : rows.numbers()) all.push_back(static_cast<float>(x));
  return all;
}

template <int N, int K>
void check(int rows, int gap, const std::vector<float>& put_into_x = {}) {
  CAPTURE(N);
  CAPTURE(K);
  CAPTURE(rows);
  noise random(static_cast<std::uint64_t>(N * 1000 + K + rows));
  guarded_rows<float> w(N, K, K, random), x(rows, K, K + gap, random), y(rows, N, N + gap);
  for (std::size_t k = 0; k < put_into_x.size(); ++k) x.data()[k % K] = put_into_x[k];
  guarded_rows<float> packed(1, packed_size<N, K>(rounding{}), 0, true);
  pack<N, K>(rounding{}, w.data(), packed.data());
  matmul<N, K>(rounding{}, rows, x.data(), x.stride, packed.data(), y.data(), y.stride);
  const std::vector<float> expected = product_of<N, K>(numbers_of(w), numbers_of(x), rows),
                           got = numbers_of(y);
  REQUIRE(got.size() == expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    CAPTURE(k);
    if (std::isnan(expected[k])) CHECK(std::isnan(got[k]));
    else CHECK(got[k] == expected[k]);
  }
  CHECK(packed.intact());
  CHECK(y.intact());
}
template <int N, int K>
void check_rows() {
  for (int rows : {1, 2, 3, 4, 5, 9})
    for (int gap : {0, 3}) check<N, K>(rows, gap);
}

}  // namespace

TEST_CASE("sums of whole numbers, for every number of outputs, features and rows") {
  check_rows<1, 1>();
  check_rows<7, 2>();
  check_rows<8, 3>();
  check_rows<16, 15>();
  check_rows<17, 16>();
  check_rows<33, 17>();
  check_rows<64, 33>();
  check_rows<100, 64>();
  check_rows<150, 33>();  // panels of AVX-512: twice four, and two
  check_rows<65, 257>();
}
TEST_CASE("deep products stay within 32 bits, and take fewer rows at a time") {
  check<3, 1025>(5, 0);
  check<2, 2049>(3, 1);
  check<1, 70001>(1, 0);
}
TEST_CASE("all numbers as large as they get") {
  constexpr int K = 600;
  std::vector<float> w(K, 1), x(K, -3), packed(static_cast<std::size_t>(packed_size<1, K>(rounding{})));
  pack<1, K>(rounding{}, w.data(), packed.data());
  float y = 0;
  matmul<1, K>(rounding{}, 1, x.data(), K, packed.data(), &y, 1);
  CHECK(y == doctest::Approx(-1800).epsilon(1e-6));
}
TEST_CASE("rows of zeros, of the smallest numbers, and with what is no number") {
  check<5, 20>(2, 0, std::vector<float>(20, 0.0f));
  check<5, 20>(2, 0, std::vector<float>(20, 1e-38f));
  check<5, 20>(2, 0, std::vector<float>(20, 3e38f));
#if !__FINITE_MATH_ONLY__
  check<5, 20>(2, 0, {1, std::numeric_limits<float>::infinity()});
  std::vector<float> last(20, 0.5f);
  last.back() = std::numeric_limits<float>::quiet_NaN();
  check<5, 20>(2, 0, last);
#endif
}

}  // namespace tenon::inline v0_1::backend
