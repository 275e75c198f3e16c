#include "tenon/data/table.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>

using namespace tenon;

namespace {

std::string error_of(const std::string& path, std::size_t fields, const io::table_options& options = {}) {
  try {
    io::read_table(path, fields, options);
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}

using row = std::vector<std::string>;

// A separate writer: every character of the grammar, and quotation marks also where they are optional.
std::string written(const std::vector<row>& rows, char separator, std::mt19937& random) {
  std::string text;
  for (const row& r : rows) {
    for (std::size_t f = 0; f < r.size(); ++f) {
      if (f > 0) text += separator;
      if (r[f].find_first_of(std::string("\"\r\n") + separator) == std::string::npos && random() % 3 > 0) {
        text += r[f];
        continue;
      }
      text += '"';
      for (const char c : r[f]) text += c == '"' ? std::string(2, c) : std::string(1, c);
      text += '"';
    }
    text += random() % 2 == 0 ? "\r\n" : "\n";
  }
  if (random() % 2 == 0) text.erase(text.find_last_not_of("\r\n") + 1);  // no line break at the end
  return text;
}

}  // namespace

TEST_CASE("a table is its lines and their fields") {
  const file_with f("a,b,c\nd,e,f\n");
  const auto rows = io::read_table(f.path, 3);
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].fields == std::vector<std::string>{"d", "e", "f"});
  CHECK(rows[1].line == 2);
}
TEST_CASE("carriage returns and a missing last newline do no harm") {
  const file_with f("a,b\r\nc,d");
  const auto rows = io::read_table(f.path, 2);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].fields[1] == "b");
  CHECK(rows[1].fields[1] == "d");
}
TEST_CASE("a byte order mark is no part of the first field") {
  const file_with f("\xEF\xBB\xBFname,b\n\xEF\xBB\xBFname,d\n"), only("\xEF\xBB\xBF");
  const auto rows = io::read_table(f.path, 2);
  CHECK(rows[0].fields[0] == "name");
  CHECK(rows[1].fields[0] == "\xEF\xBB\xBFname");  // elsewhere it is a character
  CHECK(error_of(only.path, 1) == only.path + ": the file has no lines");
}
TEST_CASE("quoted fields hold separators, line breaks and quotation marks") {
  const file_with f("\xEF\xBB\xBF\"a,b\",\"say \"\"c\"\"\"\r\n\"d\r\ne\n\",f\n\"\"\"\",\"g\"\r");
  const auto rows = io::read_table(f.path, 2);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].fields == row{"a,b", "say \"c\""});
  CHECK(rows[1].fields == row{"d\r\ne\n", "f"});
  CHECK(rows[2].fields == row{"\"", "g"});
  CHECK(rows[1].line == 2);
  CHECK(rows[2].line == 5);  // of the file
}
TEST_CASE("options: separator, header, empty fields, no quotation") {
  const file_with tabs("Look, she said.\t\"Va\" !\n\"\t\n");
  const auto plain = io::read_table(tabs.path, 2, {.separator = '\t', .quoted = false, .allow_empty = true});
  REQUIRE(plain.size() == 2);
  CHECK(plain[0].fields == row{"Look, she said.", "\"Va\" !"});
  CHECK(plain[1].fields == row{"\"", ""});

  const file_with header("text,\n\"a\nb\",c\n"), alone("text,\"la\nbel\"\r\n");
  const auto rows = io::read_table(header.path, 2, {.has_header = true});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].fields == row{"a\nb", "c"});
  CHECK(rows[0].line == 2);
  CHECK(error_of(alone.path, 2, {.has_header = true}) ==
        alone.path + ": expected rows after the header, got none");
  CHECK(error_of(alone.path, 3, {.has_header = true}) ==
        alone.path + ":1: expected 3 fields, got 2, in a row whose quotation marks go on to line 2");

  const file_with holes(",\"\"\n,");
  const auto empty = io::read_table(holes.path, 2, {.allow_empty = true});
  REQUIRE(empty.size() == 2);
  CHECK(empty[0].fields == row{"", ""});
  CHECK(empty[1].fields == row{"", ""});
  CHECK(io::read_table(holes.path, 2, {.quoted = false, .allow_empty = true})[0].fields == row{"", "\"\""});
  for (const char wrong : {'"', '\n', '\r', '\0'})
    CHECK_THROWS_WITH_AS(
        io::read_table(holes.path, 2, {.separator = wrong}),
        "read_table: expected a separator such as ',' or '\\t', got a quotation mark, a line "
        "break or a zero",
        input_error);
}
TEST_CASE("what another program writes is read as it was") {
  std::mt19937 random(1);
  const std::string characters = "ab,\"\"\n\r\t; \xC3\xA9";
  for (int repetition = 0; repetition < 200; ++repetition) {
    std::vector<row> rows(1 + random() % 5, row(2 + random() % 3));
    for (row& r : rows)
      for (std::string& field : r) {
        for (unsigned long k = random() % 6; k > 0; --k) field += characters[random() % characters.size()];
        if (&field == &r.back()) field += 'z';  // so that no line break of the last field is cut off
      }
    const char separator = ",\t;"[random() % 3];
    const file_with f(written(rows, separator, random));
    const auto read = io::read_table(f.path, rows[0].size(), {.separator = separator, .allow_empty = true});
    REQUIRE(read.size() == rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) CHECK(read[r].fields == rows[r]);
  }
}
TEST_CASE("zero bytes are refused") {
  const file_with zero(std::string("a,b\nc,d\0\n", 9)), wide(std::string("a\0,\0b\0\n\0", 8));
  CHECK(error_of(zero.path, 2) == zero.path + ":2: expected text in UTF-8 or ASCII, got a zero byte");
  CHECK(error_of(wide.path, 2) == wide.path + ":1: expected text in UTF-8 or ASCII, got a zero byte");
}
TEST_CASE("quotation marks out of place are refused") {
  const file_with open("a,b\nc,\"d\ne,f\n"), half("a,\"");
  const std::string not_closed = "field 2: expected a closing quotation mark, got the end of the file";
  CHECK(error_of(open.path, 2) == open.path + ":2: " + not_closed);
  CHECK(error_of(half.path, 2) == half.path + ":1: " + not_closed);

  const auto after = [](const std::string& separator, const std::string& got) {
    return "expected " + separator + " or a line break after the closing quotation mark, got " + got +
           "; inside quotation marks, write \"\" for one, or read the table with {.quoted = false}";
  };
  const file_with letter("a,b\n\"c\nd\"e,f\n"), space("\"a\" ,b\n"), tab("\"a\"\tb\n"),
      byte("\"a\"\xC3\xA9,b\n"), mac("\"a\"\rb");
  CHECK(error_of(letter.path, 2) == letter.path + ":3: field 1: " + after("','", "'e'"));
  CHECK(error_of(space.path, 2) == space.path + ":1: field 1: " + after("','", "a space"));
  CHECK(error_of(tab.path, 2) == tab.path + ":1: field 1: " + after("','", "a tab"));
  CHECK(error_of(byte.path, 2) == byte.path + ":1: field 1: " + after("','", "the byte 195"));
  CHECK(error_of(mac.path, 2, {.separator = '\t'}) ==
        mac.path + ":1: field 1: " + after("a tab", "the byte 13"));

  const file_with inside("a,b\nc,say \"d\"\n");
  CHECK(error_of(inside.path, 2) ==
        inside.path +
            ":2: field 2: expected quotation marks around the whole field, got one inside it; quote the "
            "field and write \"\" inside it, or read the table with {.quoted = false}");
}
TEST_CASE("errors name the file and the line") {
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK(error_of(folder, 2) == folder + ": is a directory");
  CHECK(error_of("/no/such/file.csv", 2) == "/no/such/file.csv: cannot be opened: No such file or directory");
  const file_with few("a,b\nc\n"), many("a,b\nc,d,e\n"), hole("a,b\n,d\n"), quoted("a,b\nc,\"\"\n"),
      blank("a,b\n\n"), nothing("");
  CHECK(error_of(few.path, 2) == few.path + ":2: expected 2 fields, got 1");
  CHECK(error_of(many.path, 2) == many.path + ":2: expected 2 fields, got 3");
  CHECK(error_of(hole.path, 2) ==
        hole.path +
            ":2: field 1 is empty; where values may be missing, read the table with {.allow_empty = true}");
  CHECK(error_of(quoted.path, 2) ==
        quoted.path +
            ":2: field 2 is empty; where values may be missing, read the table with {.allow_empty = true}");
  CHECK(error_of(blank.path, 2) == blank.path + ":2: expected 2 fields, got an empty line");
  CHECK(error_of(nothing.path, 2) == nothing.path + ": the file has no lines");
  for (const int fields : {0, -1})
    CHECK_THROWS_WITH_AS(
        io::read_table(few.path, static_cast<std::size_t>(fields)),
        ("read_table: expected rows of at least 1 field, got " + std::to_string(fields)).c_str(),
        input_error);
}
