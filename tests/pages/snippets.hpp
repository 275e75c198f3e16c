// Turns the C++ blocks of a Markdown page into one program, to check that the code on every page compiles and
// runs.
//
//   ```cpp         goes to namespace scope, in the page's order
//   ```cpp main    goes into main(), in the page's order, after all of the above
//   ```cpp wrong   shows a mistake; tests/must_not_compile/ holds such programs
//
// #include lines come first, wherever they are in the page. Compiler messages point into the page.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pages {

namespace detail {

inline std::string_view trim(std::string_view s) {
  const auto first = s.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

inline bool is_include(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('#')) return false;
  return trim(line.substr(1)).starts_with("include");
}

}  // namespace detail

/// The program of a page. Throws std::runtime_error, naming page and line, for a block that is unknown or does not
/// end.
inline std::string program(const std::string& page, const std::string& text) {
  std::string includes, declarations, body;
  std::string ignored;
  std::string* block = nullptr;  // where the lines of the current block go
  int opened = 0;
  int number = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto position = [&](int at) { return "#line " + std::to_string(at) + " \"" + page + "\"\n"; };
    const std::string_view trimmed = detail::trim(line);
    const bool fence = trimmed.starts_with("```");
    if (fence && block) {
      block = nullptr;
    } else if (fence) {
      const std::string_view info = detail::trim(trimmed.substr(3));
      opened = number;
      if (info == "cpp") block = &declarations;
      else if (info == "cpp main") block = &body;
      else if (info == "cpp wrong" || !info.starts_with("cpp")) block = &ignored;
      else
        throw std::runtime_error(page + ":" + std::to_string(number) + ": unknown block '" +
                                 std::string(info) + "'; there are cpp, cpp main and cpp wrong");
      *block += position(number + 1);
    } else if (block && block != &ignored && detail::is_include(line)) {
      includes += position(number) + line + "\n";
      *block += "\n";  // keeps the numbers of the lines that follow
    } else if (block) {
      *block += line + "\n";
    }
  }
  if (block) throw std::runtime_error(page + ":" + std::to_string(opened) + ": this block does not end");
  return includes + declarations + "int main() {\n" + body + "}\n";
}

}  // namespace pages
