// sum_in_blocks in the emulation of blocks and threads: each number counts once, the order depends only on how many there are, and a kernel
// reads its own partial sums.
#include "tenon/backend/cuda/sums.hpp"

#include "tenon/backend/thrust/graphs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {

using namespace backend::cuda_detail;
using backend::positions_sum;

struct number_at {
  const double* x;
  double operator()(std::ptrdiff_t k) const { return x[k]; }
};
struct number_and_one {
  const double* x;
  positions_sum operator()(std::ptrdiff_t k) const { return {x[k], 1}; }
};
template <class Sum>
struct put {
  Sum* to;
  int* calls;
  void operator()(const Sum& sum) const {
    *to = sum;
    ++*calls;
  }
};

TEST_CASE("how many blocks: one, or one for each 1,024 numbers, or 1,024") {
  CHECK(blocks_of_sum(0) == 1);
  CHECK(blocks_of_sum(4096) == 1);
  CHECK(blocks_of_sum(4097) == 5);
  CHECK(blocks_of_sum(1024 * 1024) == 1024);
  CHECK(blocks_of_sum(1024 * 1024 + 1) == 1024);
  CHECK(blocks_of_sum(std::ptrdiff_t(1) << 40) == 1024);
}
TEST_CASE("each number counts once: of none, of few, of as many as blocks hold, of more") {
  for (int count : {0, 1, 255, 256, 1023, 1025, 4095, 4096, 4097, 10007, 1024 * 1024 + 300}) {
    CAPTURE(count);
    std::vector<double> x;  // whole numbers, whose sums are exact
    double expected = 0;
    for (int k = 0; k < count; ++k) {
      x.push_back(1 + k % 1000);
      expected += x.back();
    }
    double sum = -1;
    positions_sum both{-1, -1};
    int calls = 0;
    sum_in_blocks(count, number_at{x.data()}, put<double>{&sum, &calls});
    sum_in_blocks(count, number_and_one{x.data()}, put<positions_sum>{&both, &calls});
    CHECK(sum == expected);
    CHECK(both.sum == expected);
    CHECK(both.count == count);
    CHECK(calls == 2);
  }
}
TEST_CASE(
    "equal bits wherever the numbers are, in one sum and in two side by side; near the sum one by one") {
  for (std::size_t count : {3u, 700u, 4096u, 9000u}) {
    CAPTURE(count);
    std::vector<double> x(count);
    double expected = 0, sizes = 0;
    for (std::size_t k = 0; k < count; ++k) {
      x[k] = std::sin(1.7 * double(k)) * std::pow(10.0, double(k % 7));
      expected += x[k];
      sizes += std::abs(x[k]);
    }
    double first = 0, second = 0;
    positions_sum both;
    int calls = 0;
    sum_in_blocks(std::ptrdiff_t(count), number_at{x.data()}, put<double>{&first, &calls});
    const std::vector<double> elsewhere = x;
    sum_in_blocks(std::ptrdiff_t(count), number_at{elsewhere.data()}, put<double>{&second, &calls});
    sum_in_blocks(std::ptrdiff_t(count), number_and_one{x.data()}, put<positions_sum>{&both, &calls});
    CHECK(first == second);
    CHECK(first == both.sum);
    CHECK(std::abs(first - expected) <= 100 * sizes * std::numeric_limits<double>::epsilon());
  }
}
TEST_CASE("a number that is none is in the sum") {
  std::vector<double> x(6000, 1);
  x[5999] = std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  int calls = 0;
  sum_in_blocks(6000, number_at{x.data()}, put<double>{&sum, &calls});
  CHECK(std::isnan(sum));
  sum_in_blocks(5999, number_at{x.data()}, put<double>{&sum, &calls});
  CHECK(sum == 5999);
}
TEST_CASE(
    "captured, it sums what the numbers are when it is queued: one kernel, or two with memory between") {
  std::vector<double> x(5000, 1);
  double sum = -1;
  int calls = 0;
  const auto sum_of = [&](std::ptrdiff_t count) {
    return [&, count] { sum_in_blocks(count, number_at{x.data()}, put<double>{&sum, &calls}); };
  };
  backend::work_graphs graphs;
  CHECK(graphs.capture(sum_of(4096)).size() == 1);
  CHECK_THROWS_AS(graphs.capture(sum_of(5000)), device_error);  // it would allocate
  graphs.run(sum_of(5000));
  CHECK((sum == 5000 && calls == 1));
  const auto captured = graphs.capture(sum_of(5000));
  CHECK(captured.size() == 2);
  x[4999] = 11;
  CHECK(calls == 1);
  graphs.queue(captured);
  graphs.queue(captured);
  CHECK((sum == 5010 && calls == 3));
}

}  // namespace tenon::test
