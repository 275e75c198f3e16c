// A column of a table: words, numbers, the numbers of words, a function of a row; and the messages of mistakes in a file.
#include "tenon/data/table_column.hpp"

#include "support/temporary_file.hpp"
#include "tenon/data/data_set.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace tenon::test {

namespace {
struct houses {
  file_with file{"rooms,kind,price\n3,old,210.5\n5,new, +340 \n4,old,1e2\n"};
  std::vector<io::table_row> rows = io::read_table(file.path, 3, {.has_header = true});
};
}  // namespace

TEST_CASE("the words of a field") {
  const houses h;
  const auto kinds = io::table_column(h.rows, 1);
  static_assert(std::is_same_v<decltype(kinds), const std::vector<std::string>>);
  CHECK(kinds == std::vector<std::string>{"old", "new", "old"});
  CHECK(io::table_column(h.rows, 2)[1] == " +340 ");
  CHECK(io::table_column({}, 7).empty());
}
TEST_CASE("its numbers, of any type") {
  const houses h;
  CHECK(io::table_column<float>(h.rows, 2) == std::vector<float>{210.5f, 340, 100});
  CHECK(io::table_column<int>(h.rows, 0) == std::vector<int>{3, 5, 4});
  CHECK(io::table_column<double>(h.rows, 0)[2] == 4.0);
}
TEST_CASE("the numbers of its words in a vocabulary") {
  const houses h;
  const vocabulary kinds(io::table_column(h.rows, 1));
  CHECK(io::table_column(h.rows, 1, kinds) == std::vector<int>{1, 0, 1});  // in alphabetical order
  const vocabulary with_unknown(word_counts({"old"}), {.specials = {"<unk>"}, .unknown = "<unk>"});
  CHECK(io::table_column(h.rows, 1, with_unknown) == std::vector<int>{1, 0, 1});
}
TEST_CASE("what a function makes of each row, a value of its own") {
  const houses h;
  int calls = 0;
  const auto areas = io::table_column(h.rows, [&](const io::table_row& row) {
    ++calls;
    return std::vector<float>{row.number(0), row.number(2)};
  });
  CHECK(calls == 3);
  CHECK(areas == std::vector<std::vector<float>>{{3, 210.5f}, {5, 340}, {4, 100}});
  const auto copied =
      io::table_column(h.rows, [](const auto& row) -> const std::string& { return row.fields[1]; });
  static_assert(std::is_same_v<decltype(copied), const std::vector<std::string>>);
  CHECK(copied[0] == "old");
}
TEST_CASE("columns of a table are columns of a data set") {
  const houses h;
  const auto data = data_set(column<"rooms">(io::table_column<float>(h.rows, 0)),
                             column<"price">(io::table_column<float>(h.rows, 2)));
  CHECK(data.size() == 3);
}
TEST_CASE("errors name file, line and field") {
  const houses h;
  const std::string third = h.file.path + ":3: ", second = h.file.path + ":2: ";
  CHECK_THROWS_WITH_AS(io::table_column<int>(h.rows, 2),
                       (second + "field 3: expected a whole number, got '210.5'").c_str(), data_error);
  CHECK_THROWS_WITH_AS(io::table_column<signed char>(h.rows, 1),
                       (second + "field 2: expected a whole number, got 'old'").c_str(), data_error);
  const vocabulary two({"old", "older"});
  CHECK_THROWS_WITH_AS(io::table_column(h.rows, 1, two),
                       (third + "field 2: expected one of the 2 words of the vocabulary, got 'new'").c_str(),
                       data_error);
}
TEST_CASE("columns by the names of the header") {
  const houses h;
  CHECK(io::table_column(h.rows, "kind") == io::table_column(h.rows, 1));
  CHECK(io::table_column<float>(h.rows, "price") == io::table_column<float>(h.rows, 2));
  CHECK(io::table_column<int>(h.rows, std::string("rooms")) == std::vector<int>{3, 5, 4});
  const vocabulary kinds(io::table_column(h.rows, "kind"));
  CHECK(io::table_column(h.rows, "kind", kinds) == std::vector<int>{1, 0, 1});
  const auto halves = io::table_column(h.rows, [](const auto& row) { return row.number("price") / 2; });
  CHECK(halves[1] == 170);
  CHECK(io::table_column({}, "kind").empty());
}
TEST_CASE("rows of two files, each under the names of its own") {
  const houses h;
  const file_with other("price,rooms\n7,1\n8,2\n");
  auto rows = h.rows;
  for (const io::table_row& row : io::read_table(other.path, 2, {.has_header = true})) rows.push_back(row);
  CHECK(io::table_column<float>(rows, "price") == std::vector<float>{210.5f, 340, 100, 7, 8});
  CHECK_THROWS_WITH_AS(
      io::table_column(rows, "kind"),
      (other.path + ":1: there is no column 'kind'; the columns are 'price', 'rooms'").c_str(), data_error);
}
TEST_CASE("columns of numbers of which some are missing") {
  const file_with f("id,height\n7,1.75\n,\n");
  const auto rows = io::read_table(f.path, 2, {.has_header = true, .allow_empty = true});
  CHECK(io::table_column<int>(rows, "id", -1) == std::vector{7, -1});
  CHECK(io::table_column<double>(rows, 1, 0) == std::vector{1.75, 0.0});
}

TEST_CASE("errors name file, line and column") {
  const houses h;
  CHECK_THROWS_WITH_AS(io::table_column<int>(h.rows, "price"),
                       (h.file.path + ":2: column 'price': expected a whole number, got '210.5'").c_str(),
                       data_error);
  CHECK_THROWS_WITH_AS(
      io::table_column(h.rows, "kind", vocabulary({"old"})),
      (h.file.path + ":3: column 'kind': expected one of the 1 words of the vocabulary, got 'new'").c_str(),
      data_error);
  CHECK_THROWS_WITH_AS(
      io::table_column<float>(h.rows, "prices"),
      (h.file.path + ":1: there is no column 'prices'; did you mean 'price'? the columns are "
                     "'rooms', 'kind', 'price'")
          .c_str(),
      data_error);
}
TEST_CASE("a field that no row has") {
  const houses h;
  const std::string three = h.file.path + ":2: there is no field 3; the row has 3, which count from 0";
  CHECK_THROWS_WITH_AS(io::table_column(h.rows, 3), three.c_str(), data_error);
  CHECK_THROWS_WITH_AS(io::table_column<float>(h.rows, 3), three.c_str(), data_error);
  CHECK_THROWS_WITH_AS(io::table_column(h.rows, 3, vocabulary({"a"})), three.c_str(), data_error);
}

}  // namespace tenon::test
