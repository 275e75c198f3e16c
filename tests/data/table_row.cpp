// The fields of a row, by number and by the name of their column; errors for fields that are not numbers and unknown columns.
#include "tenon/data/table_row.hpp"

#include "support/plain_number.hpp"
#include "support/temporary_file.hpp"
#include "tenon/data/table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace tenon::test {

TEST_CASE("the numbers of a row, or what is none, by file, line and field") {
  const file_with f("id,height,word\n7, 1.75 ,tree\n-3,+2e-1,\n99999999999,1e99,nan\n\"12\",0x10,1.5\n");
  const auto rows = io::read_table(f.path, 3, {.has_header = true, .allow_empty = true});
  CHECK(rows[0].number<int>(0) == 7);
  CHECK(rows[0].number(1) == 1.75f);
  CHECK(rows[1].number<long>(0) == -3);
  CHECK(rows[1].number<double>(1) == 0.2);
  CHECK(rows[2].number<long>(0) == 99999999999);
  CHECK(rows[2].number<double>(1) == 1e99);
  CHECK(rows[3].number<unsigned char>(0) == 12);
  const auto refused = [&]<class T>(T, std::size_t row, std::size_t field, const std::string& message) {
    CHECK_THROWS_WITH_AS(rows[row].number<T>(field), (f.path + message).c_str(), data_error);
  };
  refused(0.f, 0, 2, ":2: field 3: expected a number, got 'tree'");
  refused(0.f, 1, 2,
          ":3: field 3: expected a number, got ''; for a number that may be missing, give another: "
          "row.number(column, otherwise)");
  refused(0.f, 2, 2, ":4: field 3: expected a number, got 'nan'");
  refused(0.f, 2, 1, ":4: field 2: expected a number within the range of its type, got '1e99'");
  refused(0, 2, 0, ":4: field 1: expected a number within the range of its type, got '99999999999'");
  refused(0, 0, 1, ":2: field 2: expected a whole number, got ' 1.75 '");
  refused(0.f, 3, 1, ":5: field 2: expected a number, got '0x10'");
  refused(0u, 1, 0, ":3: field 1: expected a whole number, got '-3'");
  refused(0.f, 0, 3, ":2: there is no field 3; the row has 3, which count from 0");
  refused(0, 1, static_cast<std::size_t>(-1), ":3: there is no field -1; the row has 3, which count from 0");
  CHECK_THROWS_WITH_AS((void)io::table_row({{"x"}, 4}).number(0),
                       "table_row:4: field 1: expected a number, got 'x'", data_error);
}

// Of all short texts that look like numbers: what strtod reads as a whole, and nothing else.
TEST_CASE("a number may have one sign, and white space around it") {
  std::vector<std::string> texts{""};
  for (std::size_t k = 0; texts[k].size() < 4; ++k)
    for (const char c : {'+', '-', '1', '.', 'e', ' '}) texts.push_back(texts[k] + c);
  for (const std::string& text : texts) {
    CAPTURE(text);
    const std::string inside = text.substr(0, text.find_last_not_of(' ') + 1);
    const char* end = nullptr;
    const double expected = plain_number(inside, &end);
    const io::table_row row({{text}, 1});
    if (!inside.empty() && *end == '\0') CHECK(row.number<double>(0) == expected);
    else CHECK_THROWS_AS((void)row.number<double>(0), data_error);
  }
  CHECK(detail::trimmed_number(" +1 ") == "1");
  CHECK(detail::trimmed_number("+") == "+");  // a sign of no number
}

TEST_CASE("a number where the field is empty") {
  const file_with f("id,height\n7,1.75\n, \n8,tall\n");
  const auto rows = io::read_table(f.path, 2, {.has_header = true, .allow_empty = true});
  CHECK(rows[0].number("height", NAN) == 1.75f);
  CHECK(std::isnan(rows[1].number("height", NAN)));
  CHECK(rows[1].number(1, -1) == -1);
  CHECK(rows[1].number<int>("id", 3) == 3);
  CHECK_THROWS_WITH_AS((void)rows[2].number("height", NAN),
                       (f.path + ":4: column 'height': expected a number, got 'tall'").c_str(), data_error);
}

namespace {
// The message that a call throws, without the path at its start.
template <class F>
std::string error_of(const file_with& file, F f) {
  try {
    f();
  } catch (const data_error& error) {
    const std::string message = error.what();
    REQUIRE(message.starts_with(file.path));
    return message.substr(file.path.size());
  }
  return "no error";
}
}  // namespace

TEST_CASE("a field by the name of its column") {
  const file_with f("rooms,\"kind, old or new\",price\n3,old,210.5\n5,new, +340 \n");
  const auto rows = io::read_table(f.path, 3, {.has_header = true});
  CHECK(rows[0].field("kind, old or new") == "old");
  CHECK(rows[1].field(std::string("price")) == " +340 ");
  CHECK(rows[1].field(0) == "5");
  CHECK(rows[1].number("price") == 340.f);
  CHECK(rows[0].number<int>("rooms") == 3);
  CHECK(rows[0].number<double>("price") == 210.5);
  CHECK(&rows[0].field("rooms") == &rows[0].fields[0]);
  CHECK(rows[0].file == rows[1].file);  // the names are stored once
  const io::table_row copy = rows[1];
  CHECK(copy.number<int>("rooms") == 5);
}
TEST_CASE("what is no number is said with the name of the column that was asked for") {
  const file_with f("rooms,kind\n3,old\n1e99,new\n");
  const auto rows = io::read_table(f.path, 2, {.has_header = true});
  CHECK(error_of(f, [&] { (void)rows[0].number("kind"); }) ==
        ":2: column 'kind': expected a number, got 'old'");
  CHECK(error_of(f, [&] { (void)rows[1].number<int>("kind"); }) ==
        ":3: column 'kind': expected a whole number, got 'new'");
  CHECK(error_of(f, [&] { (void)rows[1].number("rooms"); }) ==
        ":3: column 'rooms': expected a number within the range of its type, got '1e99'");
}
TEST_CASE("a name that no column has") {
  const file_with f("rooms,kind,price\n3,old,2\n");
  const auto rows = io::read_table(f.path, 3, {.has_header = true});
  const std::string all = "the columns are 'rooms', 'kind', 'price'";
  CHECK(error_of(f, [&] { (void)rows[0].number("prise"); }) ==
        ":1: there is no column 'prise'; did you mean 'price'? " + all);
  CHECK(error_of(f, [&] { (void)rows[0].field("garden"); }) == ":1: there is no column 'garden'; " + all);
  CHECK(error_of(f, [&] { (void)rows[0].field(""); }) == ":1: there is no column ''; " + all);
  std::string wide = "c0", row = "0";
  for (int k = 1; k < 30; ++k) {
    wide += ",c" + std::to_string(k);
    row += ",0";
  }
  const file_with many(wide + "\n" + row + "\n");
  const std::string message =
      error_of(many, [&] { (void)io::read_table(many.path, 30, {.has_header = true})[0].field("x"); });
  CHECK(message.ends_with("'c18', 'c19', .."));
}
TEST_CASE("a name that two columns have is an error where it is asked for") {
  const file_with f("x,y,x,z\n1,2,3,4\n");
  const auto rows = io::read_table(f.path, 4, {.has_header = true});
  CHECK(rows[0].number("y") == 2);
  CHECK(rows[0].number("z") == 4);
  CHECK(error_of(f, [&] { (void)rows[0].number("x"); }) ==
        ":1: several columns are named 'x'; take one by its number, which counts from 0: 0 and 2");
}
TEST_CASE("a table that was read without its header") {
  const file_with f("rooms,price\n3,2\n");
  const auto rows = io::read_table(f.path, 2);
  CHECK(error_of(f, [&] { (void)rows[1].number("price"); }) ==
        ":2: column 'price': the table was read without the names of its columns; where its first row has "
        "them, "
        "read it with {.has_header = true}");
  CHECK(error_of(f, [&] { (void)rows[0].number(1); }) ==
        ":1: field 2: expected a number, got 'price'; where the first row names the columns, read the table "
        "with "
        "{.has_header = true}");
  CHECK(rows[1].number(1) == 2);
  const file_with words("1,2\n3,four\n");
  CHECK(error_of(words, [&] { (void)io::read_table(words.path, 2)[1].number(1); }) ==
        ":2: field 2: expected a number, got 'four'");
  CHECK_THROWS_WITH_AS(
      (void)io::table_row({{"x"}, 4}).number("price"),
      "table_row:4: column 'price': the table was read without the names of its columns; where its "
      "first row has them, read it with {.has_header = true}",
      data_error);
}

}  // namespace tenon::test
