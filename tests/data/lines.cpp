#include "tenon/data/lines.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <random>

using namespace tenon;

using list = std::vector<std::string>;

namespace {

std::string error_of(const std::string& path) {
  try {
    io::read_lines(path);
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("a text file as one string keeps its line breaks and all bytes but a byte order mark") {
  const file_with f(
      "\xEF\xBB\xBF"
      "a\r\n\n\xF0?"),
      none(""), zero(std::string("a\nb\0", 4));
  CHECK(io::read_text(f.path) == "a\r\n\n\xF0?");
  CHECK(io::read_text(none.path).empty());
  CHECK_THROWS_AS(io::read_text(zero.path), data_error);
  CHECK_THROWS_AS(io::read_text(f.path + ".none"), data_error);
}
TEST_CASE("lines end with LF, CR LF or the file") {
  const file_with f(
      "\xEF\xBB\xBF"
      "a b\r\n\n c\rd \r\r\n\xF0?e"),
      none(""), mark("\xEF\xBB\xBF"), one("\n");
  CHECK(io::read_lines(f.path) ==
        list{"a b", "", " c\rd \r", "\xF0?e"});  // bytes that are not UTF-8 are kept
  CHECK(io::read_lines(none.path).empty());
  CHECK(io::read_lines(mark.path).empty());
  CHECK(io::read_lines(one.path) == list{""});
}
TEST_CASE("errors name the file and the line") {
  const file_with zero(std::string("a\nb\nc\0\n", 7));
  CHECK(error_of(zero.path) == zero.path + ":3: expected text in UTF-8 or ASCII, got a zero byte");
  CHECK(error_of("/") == "/: is a directory");
  CHECK(error_of("/no/such/file") == "/no/such/file: cannot be opened: No such file or directory");
}
TEST_CASE("words are what is between white space") {
  CHECK(words_of(" The  cat,\tsat\r\n\v\f.") == list{"The", "cat,", "sat", "."});
  CHECK(words_of("").empty());
  CHECK(words_of(" \n").empty());
  CHECK(words_of("\xC3\x89t\xC3\xA9 A-Z", {.lowercase = true}) == list{"\xC3\x89t\xC3\xA9", "a-z"});
  CHECK(words_of("Don't stop... (X)", {.lowercase = true, .split_punctuation = true}) ==
        list{"don", "'", "t", "stop", ".", ".", ".", "(", "x", ")"});
}
TEST_CASE("of several lines each by itself") {
  const list lines{"The  cat", "", " a-B"};
  CHECK(words_of(lines) == std::vector<list>{{"The", "cat"}, {}, {"a-B"}});
  CHECK(words_of(lines, {.lowercase = true, .split_punctuation = true})[2] == list{"a", "-", "b"});
  CHECK(characters_of(list{"a\xC3\xA9", ""}) == std::vector<list>{{"a", "\xC3\xA9"}, {}});
  const file_with file("b a\nc\n");
  CHECK(words_of(io::read_lines(file.path)) == std::vector<list>{{"b", "a"}, {"c"}});
}
TEST_CASE("punctuation is what the C locale calls so") {
  for (int c = 1; c < 128; ++c) {
    const bool is_punctuation = std::ispunct(c) != 0, is_space = std::isspace(c) != 0;
    const std::size_t words = is_punctuation ? 3 : is_space ? 2 : 1;
    CHECK_MESSAGE(
        words_of(std::string("a") + static_cast<char>(c) + "b", {.split_punctuation = true}).size() == words,
        c);
  }
}
TEST_CASE("characters of UTF-8, and bytes that begin none") {
  CHECK(characters_of("a\xC3\xA9\xE6\x88\xA6\xF0\x9F\x98\x80") ==
        list{"a", "\xC3\xA9", "\xE6\x88\xA6", "\xF0\x9F\x98\x80"});
  CHECK(characters_of("\xA9\xC3") == list{"\xA9", "\xC3"});
  CHECK(characters_of("\xE6\x88z") == list{"\xE6", "\x88", "z"});
  std::mt19937 random(2);
  for (int repetition = 0; repetition < 200; ++repetition) {
    std::string text, joined;
    for (unsigned long k = random() % 20; k > 0; --k) text += "a\xC3\xA9\xE6\x88\xF0\x9F\x80"[random() % 8];
    for (const std::string& character : characters_of(text)) joined += character;
    CHECK(joined == text);
  }
}
TEST_CASE("bytes are numbers up to 255") {
  CHECK(bytes_of("A\xFF") == std::vector<int>{65, 255});
  CHECK(bytes_of(std::string_view("\0", 1)) == std::vector<int>{0});
  CHECK(bytes_of(list{"AB", "", "\xFF"}) == std::vector<std::vector<int>>{{65, 66}, {}, {255}});
}
