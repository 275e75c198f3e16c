// The gradient of a table on Thrust: tokens are sorted, and each token's rows added up in their order, to the bits of the reference.
#include "tenon/backend/thrust/scatter.hpp"

#include "support/guarded_rows.hpp"
#include "tenon/backend/reference/rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace tenon::test {

using namespace backend;

template <int D, class T>
void check_scatter(int entries, int rows, int skipped, int gap) {
  CAPTURE(D);
  CAPTURE(rows);
  noise random(std::uint64_t(rows + D));
  std::vector<int> tokens;
  for (int r = 0; r < rows; ++r)
    tokens.push_back(int((random() + 1) / 2 * (entries + 1)) - 1);  // -1: padding
  guarded_rows<T> g(rows, D, D + gap, random), table(entries, D, D), expected(entries, D, D);
  table.fill([&](int r, int j) { return r + 0.5 * j; });
  expected.fill([&](int r, int j) { return r + 0.5 * j; });
  guarded_rows<T> zeros(entries, D), zeros_expected(entries, D);
  scatter_add<D>(thrust_device{}, rows, tokens.data(), g.data(), g.stride, skipped, table.data());
  scatter_add<D>(reference{}, rows, tokens.data(), g.data(), g.stride, skipped, expected.data());
  CHECK(distance(table, expected.numbers()) <= (rows + 8) * double(std::numeric_limits<T>::epsilon()));
  scatter_add<D>(thrust_device{}, rows, tokens.data(), g.data(), g.stride, skipped, zeros.data());
  scatter_add<D>(reference{}, rows, tokens.data(), g.data(), g.stride, skipped, zeros_expected.data());
  CHECK(zeros.numbers() == zeros_expected.numbers());
  const int some = rows / 2;  // of which all are counted
  scatter_add_by_frequency<D>(thrust_device{}, some, tokens.data(), rows, tokens.data(), g.data(), g.stride,
                              skipped, zeros.data());
  scatter_add_by_frequency<D>(reference{}, some, tokens.data(), rows, tokens.data(), g.data(), g.stride,
                              skipped, zeros_expected.data());
  CHECK(distance(zeros, zeros_expected.numbers()) <= (rows + 8) * double(std::numeric_limits<T>::epsilon()));
  for (guarded_rows<T>* each : {&g, &table, &zeros}) CHECK(each->intact());
}
TEST_CASE("rows of tokens are added up") {
  check_scatter<1, float>(1, 1, -1, 0);
  check_scatter<5, float>(3, 0, -1, 0);
  check_scatter<17, float>(7, 100, 2, 3);
  check_scatter<33, double>(1000, 501, -1, 1);
  check_scatter<16, float>(2, 77, 0, 0);
}
TEST_CASE("tokens are sorted with those of padding behind them, and counted where they stand") {
  const std::vector<int> tokens{5, -1, 2, 5, 0, -1, 5, 2147483647};
  const int rows = static_cast<int>(tokens.size());
  const thrust_detail::scratch_numbers<unsigned> sorted(rows);
  const thrust_detail::scratch_numbers<int> positions(rows);
  thrust_detail::sort_tokens(rows, tokens.data(), sorted.data(), positions.data(), "sort");
  const unsigned last = std::numeric_limits<unsigned>::max();
  CHECK(std::vector<unsigned>(sorted.data(), sorted.data() + rows) ==
        std::vector<unsigned>{0, 2, 5, 5, 5, 2147483647, last, last});
  CHECK(std::vector<int>(positions.data(), positions.data() + rows) ==
        std::vector<int>{4, 2, 0, 3, 6, 7, 1, 5});
  for (unsigned token : {0u, 1u, 2u, 3u, 5u, 6u, 2147483647u, last})
    CHECK(thrust_detail::tokens_below(sorted.data(), rows, token) ==
          std::count_if(sorted.data(), sorted.data() + rows, [&](unsigned other) { return other < token; }));
  CHECK(thrust_detail::tokens_below(sorted.data(), 0, 3) == 0);
}
TEST_CASE("scratch memory is kept for the next call, and makes way for a larger block") {
  thrust_detail::scratch mine;
  char* const first = mine.allocate(100);
  char* const second = mine.allocate(10);
  CHECK(first != second);
  mine.deallocate(first, 100);
  CHECK(mine.allocate(50) == first);
  mine.deallocate(second, 10);
  CHECK(mine.allocate(5) == second);
}

}  // namespace tenon::test
