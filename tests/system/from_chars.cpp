// Numbers with a point, read as std::from_chars reads them, whatever the standard library and the locale.
#include "tenon/system/from_chars.hpp"

#include <doctest/doctest.h>

#include <clocale>
#include <limits>
#include <string_view>

namespace {

template <class T>
struct parsed {
  T value = -1;
  std::size_t length;
  std::errc error;
  explicit parsed(std::string_view text) {
    const auto [end, e] = tenon::detail::from_chars(text.data(), text.data() + text.size(), value);
    length = static_cast<std::size_t>(end - text.data());
    error = e;
  }
};

}  // namespace

TEST_CASE("a number, and where it ends") {
  CHECK(parsed<double>("0.5").value == 0.5);
  CHECK(parsed<float>("-1.5e-3x").value == -1.5e-3f);
  CHECK(parsed<float>("-1.5e-3x").length == 7);
  CHECK(parsed<double>("12,5").length == 2);
  CHECK(parsed<double>("0x10").value == 0);
  CHECK(parsed<double>("0x10").length == 1);
  CHECK(parsed<int>("42 ").value == 42);
  CHECK(parsed<float>("0.1").value == 0.1f);
  CHECK(parsed<float>("1.00000017881393432617187499").value == 1.00000011920928955078125f);  // rounded once
  CHECK(parsed<double>("inf").value == std::numeric_limits<double>::infinity());
}
TEST_CASE("what is no number") {
  for (const char* text : {"", "+1", " 1", "x", "-", ".", "\t2"}) {
    CAPTURE(text);
    CHECK(parsed<double>(text).error == std::errc::invalid_argument);
    CHECK(parsed<double>(text).value == -1);
  }
  CHECK(parsed<float>("1e39").error == std::errc::result_out_of_range);
  CHECK(parsed<float>("1e-60").error == std::errc::result_out_of_range);
  CHECK(parsed<float>("1e-40").error == std::errc());  // a subnormal number
}
TEST_CASE("a locale with a comma changes nothing") {
  bool has_comma = false;
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8", "ru_RU.UTF-8"})
    has_comma = has_comma || std::setlocale(LC_ALL, name) != nullptr;
  if (!has_comma) MESSAGE("no locale with a comma is installed: seen was only the locale C");
  CHECK(parsed<double>("0.5").value == 0.5);
  std::setlocale(LC_ALL, "C");
}
