// The page of bench/gpu/run: tables of the lines that its programs print.
#include "../bench/gpu/page.hpp"

#include <doctest/doctest.h>

#include <sstream>

TEST_CASE("lines become tables, in the order in which they came") {
  std::istringstream lines(
      "lstm, inference\thidden 32\tTenon\t12.5\n"
      "this is no number\tx\ty\tz\n"
      "limits\tcopy: GB/s\tmeasured\t2817.6\n"
      "lstm, inference\thidden 64\tTenon\t2500\n"
      "two words\n"
      "lstm, inference\thidden 32\tPyTorch\t25\n"
      "lstm, inference\thidden 64\tPyTorch, CUDA graph\t1250\n"
      "lstm, inference\thidden 32\tTenon, captured\t6.25\n");
  const auto tables = bench::tables_of(lines);
  REQUIRE(tables.size() == 2);
  CHECK(bench::markdown_of(tables[0]) ==
        "## lstm, inference\n\n"
        "| | Tenon | PyTorch | PyTorch, CUDA graph | Tenon, captured |\n|---|---:|---:|---:|---:|\n"
        "| hidden 32 | 12.5 µs | 25 µs **4.00** | | 6.25 µs |\n"
        "| hidden 64 | 2.5 ms | | 1.25 ms **0.50** | |\n");
  CHECK(bench::markdown_of(tables[1]) == "## limits\n\n| | measured |\n|---|---:|\n| copy: GB/s | 2818 |\n");
}
TEST_CASE("times have their unit, and three digits") {
  CHECK(bench::shown_time(0.1234) == "0.123 µs");
  CHECK(bench::shown_time(999.4) == "999 µs");
  CHECK(bench::shown_time(1000) == "1 ms");
  CHECK(bench::shown_time(4321.0) == "4.32 ms");
  CHECK(bench::shown_time(1.5e6) == "1.5 s");
}
