// Fields separated by blanks and tabs, against a stream's words.
#include <tenon/io/blank_fields.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace tenon::detail;

namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}
// All lines of up to `most` of these characters.
template <class F>
void for_each_line(int most, F f) {
  std::vector<std::string> now{""};
  for (int k = 0; k <= most; ++k) {
    std::vector<std::string> longer;
    for (const std::string& line : now) {
      f(line);
      for (const char c : {'a', 'b', ' ', '\t'}) longer.push_back(line + c);
    }
    now = longer;
  }
}

}  // namespace

TEST_CASE("fields taken from the front are a stream's words, and are counted so") {
  for_each_line(6, [](const std::string& line) {
    CAPTURE(line);
    const std::vector<std::string> expected = words_of(line);
    CHECK(count_fields(line) == static_cast<long>(expected.size()));
    std::vector<std::string> found;
    std::string_view rest = line;
    for (std::string_view field; !(field = take_field(rest)).empty();) found.emplace_back(field);
    CHECK(found == expected);
    CHECK(rest.empty());  // the blanks after the last field are consumed with it
  });
}

TEST_CASE("fields dropped from the back are a stream's last words") {
  for_each_line(6, [](const std::string& line) {
    CAPTURE(line);
    std::vector<std::string> expected = words_of(line);
    std::string_view rest = line;
    CHECK(words_of(std::string(trimmed(rest))) == expected);
    CHECK((trimmed(rest).empty() || !is_blank(trimmed(rest).back())));
    while (!expected.empty()) {
      drop_field_at_back(rest);
      expected.pop_back();
      CHECK(words_of(std::string(rest)) == expected);
      CHECK(line.starts_with(rest));
    }
  });
}

TEST_CASE("only blanks and tabs are between fields; the first is what is before them") {
  CHECK(count_fields("a\r\n\vb c") == 2);
  CHECK(field_at_front("ab\tc d") == "ab");
  CHECK(field_at_front(" ab").empty());
  CHECK(field_at_front("ab") == "ab");
}
