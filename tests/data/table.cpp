#include "tenon/data/table.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace tenon;

namespace {

// A file of this text for the length of a test.
struct file_with {
  std::string path;
  explicit file_with(const std::string& text)
      : path((std::filesystem::temp_directory_path() /
              ("tenon_table_" + std::to_string(std::hash<std::string>{}(text)) + ".csv"))
                 .string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~file_with() { std::remove(path.c_str()); }
};

std::string error_of(const std::string& path, std::size_t fields) {
  try {
    read_table(path, fields);
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("a table is its lines and their fields") {
  const file_with f("a,b,c\nd,e,f\n");
  const auto rows = read_table(f.path, 3);
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].fields == std::vector<std::string>{"d", "e", "f"});
  CHECK(rows[1].line == 2);
}
TEST_CASE("carriage returns and a missing last newline do no harm") {
  const file_with f("a,b\r\nc,d");
  const auto rows = read_table(f.path, 2);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].fields[1] == "b");
  CHECK(rows[1].fields[1] == "d");
}
TEST_CASE("a byte order mark is no part of the first field") {
  const file_with f("\xEF\xBB\xBFname,b\n\xEF\xBB\xBFname,d\n"), only("\xEF\xBB\xBF");
  const auto rows = read_table(f.path, 2);
  CHECK(rows[0].fields[0] == "name");
  CHECK(rows[1].fields[0] == "\xEF\xBB\xBFname");  // elsewhere it is a character
  CHECK(error_of(only.path, 1) == only.path + ":1: field 1 is empty");
}
TEST_CASE("what is no text, or quoted, is refused") {
  const file_with zero(std::string("a,b\nc,d\0\n", 9)), wide(std::string("a\0,\0b\0\n\0", 8));
  const file_with quoted("a,b\n\"c,d\",e\n"), inside("a,b\nc,say \"d\"\n");
  CHECK(error_of(zero.path, 2) == zero.path + ":2: a zero byte: this is no text in UTF-8 or ASCII");
  CHECK(error_of(wide.path, 2) == wide.path + ":1: a zero byte: this is no text in UTF-8 or ASCII");
  const std::string refused = " has a quotation mark, and quoted fields are not read";
  CHECK(error_of(quoted.path, 2) == quoted.path + ":2: field 1" + refused);
  CHECK(error_of(inside.path, 2) == inside.path + ":2: field 2" + refused);
}
TEST_CASE("errors name the file and the line") {
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK(error_of(folder, 2) == folder + ": is a directory");
  CHECK(error_of("/no/such/file.csv", 2) == "/no/such/file.csv: cannot be opened");
  const file_with few("a,b\nc\n"), many("a,b\nc,d,e\n"), hole("a,b\n,d\n"), nothing("");
  CHECK(error_of(few.path, 2) == few.path + ":2: expected 2 fields, got 1");
  CHECK(error_of(many.path, 2) == many.path + ":2: expected 2 fields, got 3");
  CHECK(error_of(hole.path, 2) == hole.path + ":2: field 1 is empty");
  CHECK(error_of(nothing.path, 2) == nothing.path + ": the file has no lines");
}
