// Numbers with a decimal point, whatever language the program has.
#pragma once

#include <clocale>
#include <cstdlib>
#include <string>

// strtod and strtof in the C language.
template <class T = double>
T plain_number(const std::string& text, const char** end = nullptr) {
  const std::string language = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "C");
  char* stop = nullptr;
  T number;
  if constexpr (sizeof(T) == sizeof(float)) number = std::strtof(text.c_str(), &stop);
  else number = std::strtod(text.c_str(), &stop);
  std::setlocale(LC_NUMERIC, language.c_str());
  if (end != nullptr) *end = stop;
  return number;
}
