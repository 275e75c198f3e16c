// A table of numbers as an array, compared with the numbers that were written; and files that are no such table.
#include "tenon/data/number_table.hpp"

#include "support/temporary_file.hpp"
#include "tenon/data/data_set.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace tenon::test {

TEST_CASE("an array has the rows and fields of the file") {
  std::string text = "a\tb\tc\n";
  for (int r = 0; r < 5; ++r)
    for (int f = 0; f < 3; ++f) text += std::to_string(10 * r + f) + (f < 2 ? ".5\t" : ".5\n");
  const file_with file(text);
  const xt::xarray<float> table =
      io::read_table<float>(file.path, 3, {.separator = '\t', .has_header = true});
  REQUIRE(table.dimension() == 2);
  CHECK((table.shape()[0] == 5 && table.shape()[1] == 3));
  for (int r = 0; r < 5; ++r)
    for (int f = 0; f < 3; ++f) CHECK(table(r, f) == float(10 * r + f) + 0.5f);
  CHECK(data_set(column<"x">(table)).size() == 5);
}
TEST_CASE("whole numbers, and what is no number") {
  const file_with file("1;2\n3;4.5\n");
  CHECK_THROWS_WITH_AS(io::read_table<int>(file.path, 2, {.separator = ';'}),
                       (file.path + ":2: field 2: expected a whole number, got '4.5'").c_str(), data_error);
  CHECK(io::read_table<double>(file.path, 2, {.separator = ';'})(1, 1) == 4.5);
}
TEST_CASE("an empty field is NaN where it is allowed") {
  const file_with file("1,2\n,4.5\n");
  const auto table = io::read_table<float>(file.path, 2, {.allow_empty = true});
  CHECK(std::isnan(table(1, 0)));
  CHECK(table(1, 1) == 4.5f);
  CHECK_THROWS_AS((void)io::read_table<int>(file.path, 2, {.allow_empty = true}), data_error);
}

}  // namespace tenon::test
