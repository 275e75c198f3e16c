// Sums over the rows of several matrices, in the emulation of blocks and threads, against the reference.
#include "tenon/backend/cuda/column_sums.hpp"

#include "support/guarded_rows.hpp"
#include "tenon/backend/reference/product.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace tenon::test {

using backend::column_sums;

template <class T, int... Widths>
void check_sums(int rows) {
  CAPTURE(rows);
  noise random(std::uint64_t(rows) + sizeof...(Widths));
  std::vector<std::unique_ptr<guarded_rows<T>>> g, sums, also;
  std::vector<column_sums<T>> given;
  std::vector<std::vector<double>> expected;
  const auto add = [&](auto width) {
    g.push_back(std::make_unique<guarded_rows<T>>(rows, width(), width() + 3, random));
    sums.push_back(std::make_unique<guarded_rows<T>>(1, width(), width(), random));
    also.push_back(std::make_unique<guarded_rows<T>>(1, width(), width(), random));
    const bool has_two = given.size() % 2 == 0;
    given.push_back({g.back()->data(), g.back()->stride, width(), sums.back()->data(),
                     has_two ? also.back()->data() : nullptr});
    for (const auto* to : {sums.back().get(), also.back().get()}) {
      expected.push_back(to->numbers());
      if (to == sums.back().get() || has_two)
        backend::gradient_sum<width()>(backend::reference{}, rows, g.back()->numbers().data(), width(),
                                       expected.back().data());
    }
  };
  (add(std::integral_constant<int, Widths>{}), ...);
  gradient_sums(backend::cuda{}, rows, int(given.size()), given.data());
  for (std::size_t n = 0; n < given.size(); ++n) {
    const double near_enough = (rows + 8) * double(std::numeric_limits<T>::epsilon());
    CHECK(distance(*sums[n], expected[2 * n]) <= near_enough);
    CHECK(distance(*also[n], expected[2 * n + 1]) <= near_enough);
    for (guarded_rows<T>* each : {g[n].get(), sums[n].get(), also[n].get()}) CHECK(each->intact());
  }
}
TEST_CASE("one matrix and several, of few rows: one kernel") {
  check_sums<float, 1>(1);
  check_sums<float, 5, 32, 33>(7);
  check_sums<double, 64, 1>(128);
}
TEST_CASE("many rows: parts, which a second kernel adds up") {
  check_sums<float, 1>(129);
  check_sums<float, 40, 3, 40>(500);
  check_sums<double, 33>(1000);
}
TEST_CASE("more matrices than a kernel takes, and no rows") {
  check_sums<float, 1, 2, 3, 4, 5, 6, 7, 8, 9>(140);
  check_sums<float, 3>(0);
}
TEST_CASE("parts hold all rows, and are few where the columns fill a card") {
  using backend::cuda_detail::parts_of_sum;
  CHECK(parts_of_sum(1, 1) == 1);
  CHECK(parts_of_sum(128, 1) == 1);
  CHECK(parts_of_sum(129, 1) == 2);
  CHECK(parts_of_sum(1024, 32) == 8);
  CHECK(parts_of_sum(1 << 20, 1) == 128);
  CHECK(parts_of_sum(1024, 2000) == 1);
}

}  // namespace tenon::test
