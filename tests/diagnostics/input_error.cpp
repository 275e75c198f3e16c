// Messages are composed of words and integers of any type.
#include "tenon/diagnostics/input_error.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace tenon;
using namespace tenon::ir;

TEST_CASE("numbers are shown as they are, whatever their type") {
  const auto shown = [](auto number) {
    try {
      tenon::detail::throw_input_error({"got ", number, characters("!")});
    } catch (const input_error& e) { return std::string(e.what()); }
  };
  CHECK(shown(0) == "got 0!");
  CHECK(shown(-1) == "got -1!");
  CHECK(shown(true) == "got 1!");
  CHECK(shown(std::numeric_limits<signed char>::min()) == "got -128!");
  CHECK(shown(std::numeric_limits<long long>::min()) == "got -9223372036854775808!");
  CHECK(shown(std::numeric_limits<unsigned long long>::max()) == "got 18446744073709551615!");
}
