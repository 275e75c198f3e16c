#include "tenon/io/json.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace tenon;
using namespace std::string_literals;
using tenon::detail::json_reader, tenon::detail::json_string;

namespace {

const std::string path = "file";

std::string string_in(const std::string& text) {
  json_reader json(path, text, 8);
  std::string value = json.string();
  json.expect_end();
  return value;
}
std::uint64_t number_in(const std::string& text) {
  json_reader json(path, text, 0);
  const std::uint64_t value = json.whole_number();
  json.expect_end();
  return value;
}
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}
std::string string_error(const std::string& text) {
  return error_of([&] { string_in(text); });
}
std::string number_error(const std::string& text) {
  return error_of([&] { number_in(text); });
}
// A list of objects of lists, as one line.
std::string shape_of(const std::string& text) {
  json_reader json(path, text, 0);
  std::string seen;
  json.list([&] {
    seen += "<";
    json.object([&](const std::string& key) {
      seen += key + "=";
      json.list([&] { seen += std::to_string(json.whole_number()) + " "; });
    });
    seen += ">";
  });
  json.expect_end();
  return seen;
}

}  // namespace

TEST_CASE("objects and lists, with white space between all their parts") {
  CHECK(shape_of("[]") == "");
  CHECK(shape_of(R"([{},{"a":[]},{"b":[1,22],"":[0]}])") == "<><a=><b=1 22 =0 >");
  CHECK(shape_of(" [ {\t\"a\" :\r\n[ 1 , 2 ] } ] ") == "<a=1 2 >");
}
TEST_CASE("what is not JSON, or not of the kind that is expected") {
  const auto error = [](const std::string& text) { return error_of([&] { shape_of(text); }); };
  CHECK(error("") == "file: JSON at byte 0: expected '[', got the end of the text");
  CHECK(error("{") == "file: JSON at byte 0: expected '[', got '{'");
  CHECK(error("[1]") == "file: JSON at byte 1: expected '{', got '1'");
  CHECK(error("[{},]") == "file: JSON at byte 4: expected '{', got ']'");
  CHECK(error("[{}") == "file: JSON at byte 3: expected ']', got the end of the text");
  CHECK(error("[{}] x") == "file: JSON at byte 5: expected the end of the text, got 'x'");
  CHECK(error("[{}]\0"s) == "file: JSON at byte 4: expected the end of the text, got the byte 0");
  CHECK(error("[{\xFF") == "file: JSON at byte 2: expected '\"', got the byte 255");
  CHECK(error(R"([{"a":[1]"b":[]}])") == "file: JSON at byte 9: expected '}', got '\"'");
  CHECK(error(R"([{"a",[1]}])") == "file: JSON at byte 5: expected ':', got ','");
  CHECK(error(R"([{"a":[1 2]}])") == "file: JSON at byte 9: expected ']', got '2'");
  CHECK(error(R"([{a:[1]}])") == "file: JSON at byte 2: expected '\"', got 'a'");
  CHECK(error("[{\xC3\xBC") == "file: JSON at byte 2: expected '\"', got '\xC3\xBC'");
}
TEST_CASE("strings and their escapes") {
  CHECK(string_in(R"("")").empty());
  CHECK(string_in("\"a\xC3\xBC\xE6\x88\xA6\xF0\x9F\x98\x80\"") == "a\xC3\xBC\xE6\x88\xA6\xF0\x9F\x98\x80");
  CHECK(string_in(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(string_in(R"("\u0041\u00fc\u00FC\u6226\ud83d\ude00\u0000")") ==
        "A\xC3\xBC\xC3\xBC\xE6\x88\xA6\xF0\x9F\x98\x80\0"s);
  CHECK(string_error("\"a") == "file: JSON at byte 10: the text ends within a string");
  CHECK(string_error("\"a\\") == "file: JSON at byte 11: a string holds an unknown escape");
  CHECK(string_error("\"\n\"") == "file: JSON at byte 9: a string holds the control character 10");
  CHECK(string_error(R"("\x")") == "file: JSON at byte 10: a string holds an unknown escape");
  CHECK(string_error(R"("\u12g4")") == "file: JSON at byte 13: expected four hexadecimal digits behind \\u");
  CHECK(string_error(R"("\u12)") == "file: JSON at byte 13: expected four hexadecimal digits behind \\u");
  for (const char* half : {R"("\ud83d")", R"("\ud83dx")", R"("\ude00\ud83d")", R"("\ud83d\u0041")"})
    CHECK(string_error(half).find("a string holds half a surrogate pair") != std::string::npos);
}
TEST_CASE("strings that are no UTF-8") {
  for (const char* bytes : {"\x80", "\xC3", "\xED\xA0\x80", "\xFF"})
    CHECK(string_error("\"" + std::string(bytes) + "\"") == "file: JSON at byte 9: a string is not UTF-8");
}
TEST_CASE("whole numbers") {
  CHECK(number_in("0") == 0);
  CHECK(number_in(" 18446744073709551615 ") == ~std::uint64_t{0});
  CHECK(number_error("18446744073709551616") == "file: JSON at byte 19: a number is larger than 2^64 - 1");
  CHECK(number_error("99999999999999999999") == "file: JSON at byte 19: a number is larger than 2^64 - 1");
  CHECK(number_error("01") == "file: JSON at byte 2: a number starts with 0");
  CHECK(number_error("-1") == "file: JSON at byte 0: expected a whole number, got '-'");
  CHECK(number_error("1.0") ==
        "file: JSON at byte 1: expected a whole number, got a fraction or an exponent");
  CHECK(number_error("1e3") ==
        "file: JSON at byte 1: expected a whole number, got a fraction or an exponent");
  CHECK(number_error("null") == "file: JSON at byte 0: expected a whole number, got 'n'");
}
TEST_CASE("a string that is written is read again") {
  CHECK(json_string("a\"\\/\n\x01\x1F") == R"("a\"\\/\n\u0001\u001f")");
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "\xC3\xBC\xF0\x9F\x98\x80";
  CHECK(string_in(json_string(all)) == all);
}
