// While an object of it exists, numbers have a decimal comma and groups of three digits: in new streams of C++, and in printf and
// strtod, if the machine has a locale of such a language.
#pragma once

#include <clocale>
#include <locale>
#include <string>

struct decimal_comma {
  decimal_comma() {
    for (const char* name :
         {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "ru_RU.UTF-8"})
      if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  decimal_comma(const decimal_comma&) = delete;
  decimal_comma& operator=(const decimal_comma&) = delete;
  ~decimal_comma() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, "C");
  }

 private:
  struct with_comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale before_ = std::locale::global(std::locale(std::locale::classic(), new with_comma));
};
