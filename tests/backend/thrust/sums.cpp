// sum_there: the sum is computed where the numbers are, in an order that depends only on how many there are.
#include "tenon/backend/thrust/sums.hpp"

#include "tenon/backend/thrust/graphs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tenon::test {

using namespace backend::thrust_detail;

template <class T>
struct number_at {
  const T* x;
  T operator()(std::ptrdiff_t k) const { return x[k]; }
};
struct plus {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct least {
  double operator()(double a, double b) const { return a < b ? a : b; }
};
template <class T>
struct put {
  T* to;
  int* calls;
  void operator()(const T& sum) const {
    *to = sum;
    ++*calls;
  }
};
// By its definition: lane k has f(k), f(k + 1024), ..; then lane after lane.
float in_lanes(const std::vector<float>& x) {
  float all = 0;
  for (std::size_t lane = 0; lane < 1024 && lane < x.size(); ++lane) {
    float sum = 0;
    for (std::size_t k = lane; k < x.size(); k += 1024) sum += x[k];
    all += sum;
  }
  return all;
}

TEST_CASE("each number counts once, whether there are none, few, or more than there are lanes") {
  for (int count : {0, 1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 10007}) {
    CAPTURE(count);
    std::vector<std::int64_t> x;
    for (std::int64_t k = 0; k < count; ++k) x.push_back(1 + k * k);
    std::int64_t sum = -1;
    int calls = 0;
    sum_there(count, number_at<std::int64_t>{x.data()}, std::int64_t(0), plus{},
              put<std::int64_t>{&sum, &calls});
    const std::int64_t n = count;
    CHECK(sum == n + (n - 1) * n * (2 * n - 1) / 6);
    CHECK(calls == 1);
  }
}
TEST_CASE(
    "the order of a sum depends on how many there are: the bits are those of lanes that are added up one by "
    "one") {
  for (std::size_t count : {3u, 700u, 1024u, 1300u, 9000u}) {
    CAPTURE(count);
    std::vector<float> x(count);
    for (std::size_t k = 0; k < count; ++k)
      x[k] = float(std::sin(1.7 * double(k)) * std::pow(10.0, double(k % 7)));
    float first = 0, second = 0;
    int calls = 0;
    sum_there(std::ptrdiff_t(count), number_at<float>{x.data()}, 0.f, plus{}, put<float>{&first, &calls});
    CHECK(first == in_lanes(x));
    const std::vector<float> elsewhere = x;
    sum_there(std::ptrdiff_t(count), number_at<float>{elsewhere.data()}, 0.f, plus{},
              put<float>{&second, &calls});
    CHECK(first == second);
  }
}
TEST_CASE("any way to add that has a zero: the least of all") {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> x(3000, 5);
  x[2777] = -2;
  for (std::ptrdiff_t count : {0, 2777, 2778, 3000}) {
    double found = 0;
    int calls = 0;
    sum_there(count, number_at<double>{x.data()}, inf, least{}, put<double>{&found, &calls});
    CHECK(found == (count == 0 ? inf : count > 2777 ? -2 : 5));
  }
}
TEST_CASE("a number that is none is in the sum") {
  std::vector<double> x(2000, 1);
  x[1999] = std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  int calls = 0;
  sum_there(2000, number_at<double>{x.data()}, 0.0, plus{}, put<double>{&sum, &calls});
  CHECK(std::isnan(sum));
  sum_there(1999, number_at<double>{x.data()}, 0.0, plus{}, put<double>{&sum, &calls});
  CHECK(sum == 1999);
}
TEST_CASE("it can be captured where its memory is there, and sums what the numbers are when it is queued") {
  std::vector<double> x(1500, 1);
  double sum = -1;
  int calls = 0;
  const auto sum_up = [&] {
    sum_there(1500, number_at<double>{x.data()}, 0.0, plus{}, put<double>{&sum, &calls});
  };
  backend::work_graphs graphs;
  CHECK_THROWS_AS(graphs.capture(sum_up), device_error);  // it would allocate
  graphs.run(sum_up);
  CHECK((sum == 1500 && calls == 1));
  const auto captured = graphs.capture(sum_up);
  CHECK(captured.size() == 2);
  x[3] = 11;
  sum = -1;
  CHECK(calls == 1);
  graphs.queue(captured);
  graphs.queue(captured);
  CHECK((sum == 1510 && calls == 3));
}
TEST_CASE("the memory of one sum serves the next") {
  backend::work_graphs graphs;
  std::vector<double> x(1500, 1);
  double sum = 0;
  int calls = 0;
  const auto sum_of = [&](std::ptrdiff_t count) {
    return [&, count] {
      sum_there(count, number_at<double>{x.data()}, 0.0, plus{}, put<double>{&sum, &calls});
    };
  };
  graphs.run(sum_of(1500));
  const long before = graphs.memory_state();
  for (std::ptrdiff_t count : {1500, 1, 0, 1024, 1499}) graphs.run(sum_of(count));
  CHECK(graphs.memory_state() == before);
  CHECK(sum == 1499);
}

}  // namespace tenon::test
