// The number that a text says with a decimal point, whatever language the program has.
#pragma once

#include <locale>
#include <sstream>
#include <string>

template <class T = double>
T plain_number(const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  T number{};
  in >> number;
  return number;
}
