// Numbers as text are those of printf in the locale "C", also while numbers have a decimal comma.
#include "tenon/diagnostics/number_text.hpp"

#include "support/decimal_comma.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace tenon;

namespace {

std::string printed(const char* format, int digits, double value) {
  char text[400];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}
std::vector<double> numbers() {
  std::vector<double> all{0,
                          -0.0,
                          1,
                          0.5,
                          -1234567.875,
                          1e-9,
                          9.9999999,
                          1e15,
                          123456,
                          1234567,
                          std::numeric_limits<double>::max(),
                          std::numeric_limits<double>::denorm_min(),
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::quiet_NaN()};
  std::mt19937_64 random(1);
  for (int k = 0; k < 500; ++k) all.push_back(std::bit_cast<double>(std::uint64_t{random()}));
  for (int k = 0; k < 500; ++k) all.push_back(double(std::int64_t(random() % 2000000)) / 1000 - 1000);
  return all;
}
std::vector<std::string> texts(auto general, auto fixed, auto scientific) {
  std::vector<std::string> all;
  for (const double x : numbers())
    for (const int digits : {1, 2, 3, 6, 9}) {
      all.push_back(general(x, digits));
      all.push_back(fixed(x, digits));
      all.push_back(scientific(x, digits));
    }
  return all;
}

}  // namespace

TEST_CASE("numbers have the digits of printf, and a point in every locale") {
  const auto expected = texts([](double x, int n) { return printed("%.*g", n, x); },
                              [](double x, int n) { return printed("%.*f", n, x); },
                              [](double x, int n) { return printed("%.*e", n, x); });
  const auto ours = [] {
    return texts([](double x, int n) { return detail::general(x, n); },
                 [](double x, int n) { return detail::fixed(x, n); },
                 [](double x, int n) { return detail::scientific(x, n); });
  };
  CHECK(ours() == expected);
  const decimal_comma comma;
  std::ostringstream stream;
  stream << 1234.5;
  CHECK(stream.str() == "1.234,5");
  CHECK(ours() == expected);
  CHECK(detail::fixed(0.5) == "0.500000");
  CHECK(detail::general(0.5) == "0.5");
}
