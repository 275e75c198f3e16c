// The options of a program's command line. Each is declared once, with the variable that takes its value and holds its default:
//
//   int epochs = 20;
//   return command_line::program("surnames: from which language does a name come?", count, words,
//                                {{"--epochs", &epochs, "how often all names are seen", 1}}, [&] { .. });
//
// --help explains them. A word that does not fit is one line on stderr, and the program's exit status is 2.
#pragma once

#include <tenon/diagnostics/problem.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <variant>
#include <vector>

namespace command_line {

struct option {
  std::string name;  // one that does not begin with --, such as NAME, takes all words that belong to no option
  std::variant<std::string*, int*, std::uint64_t*, double*, std::vector<std::string>*> variable;
  std::string sentence;
  double least = 0, most = std::numeric_limits<double>::max();  // of a number
};

template <class T>
std::string text_of(T number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

// The number that `text` is, all of it; `whose` names it in the error.
template <class T>
T number_of(const std::string& text, const std::string& whose, double least, double most) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const double value = static_cast<double>(number);
  if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= most) return number;
  const bool has_most = most < std::numeric_limits<double>::max();
  throw std::invalid_argument(whose + ": expected a " + (std::is_integral_v<T> ? "whole " : "") + "number " +
                              (has_most ? "from " + text_of(least) + " to " + text_of(most) : "of at least " + text_of(least)) +
                              (error == std::errc::result_out_of_range ? " that fits its type" : "") + ", got '" + text + "'");
}

inline void assign(const option& to, const std::string& text) {
  std::visit(
      [&]<class T>(T* variable) {
        if constexpr (std::is_arithmetic_v<T>) *variable = number_of<T>(text, to.name, to.least, to.most);
        else if constexpr (std::is_same_v<T, std::string>) *variable = text;
        else variable->push_back(text);
      },
      to.variable);
}

// What --help prints. The variables still have their defaults; a number below the least one means that there is none.
inline std::string help(const std::string& title, const std::vector<option>& options) {
  std::ostringstream page;
  page << title << "\n\n";
  for (const option& o : options)
    std::visit(
        [&]<class T>(const T* variable) {
          const bool has_value = o.name.starts_with("--");
          std::string left = "  " + o.name + (!has_value ? " ..." : std::is_same_v<T, std::string> ? " TEXT" : std::is_integral_v<T> ? " N" : " X");
          left.resize(std::max<std::size_t>(left.size() + 2, 24), ' ');
          page << left << o.sentence;
          if constexpr (std::is_arithmetic_v<T>) page << (static_cast<double>(*variable) < o.least ? "" : " (" + text_of(*variable) + ")");
          else if constexpr (std::is_same_v<T, std::string>) page << (variable->empty() ? "" : " (" + *variable + ")");
          page << "\n";
        },
        o.variable);
  return page.str() + "  --help                prints this\n";
}

// Fills the variables from the words behind the program's name: --name VALUE or --name=VALUE. Returns whether one of them is --help.
inline bool parse(int count, char** words, const std::vector<option>& options) {
  for (int k = 1; k < count; ++k) {
    const std::string word = words[k];
    const std::size_t sign = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, sign);
    if (name == "--help") return true;
    tenon::ir::nearest known{tenon::ir::name(name)};
    std::string all;
    const option* found = nullptr;
    for (const option& o : options) {
      const bool is_named = o.name.starts_with("--");
      if (is_named ? o.name == name : !word.starts_with("--")) found = &o;
      if (!is_named) continue;
      known.consider(o.name);
      all += (all.empty() ? "there are " : ", ") + o.name;
    }
    if (found == nullptr) throw std::invalid_argument("unknown option " + name + "; " + std::string(known.suggestion(all).view()));
    if (!found->name.starts_with("--")) assign(*found, word);
    else if (sign != std::string::npos) assign(*found, word.substr(sign + 1));
    else if (k + 1 < count) assign(*found, words[++k]);
    else throw std::invalid_argument(name + " needs a value");
  }
  return false;
}

// Fills the variables, runs `body`, and returns its exit status. The title is "name: what the program does".
template <class Body>
int program(const std::string& title, int count, char** words, const std::vector<option>& options, Body body) {
  const std::string page = help(title, options);
  try {
    if (!parse(count, words, options)) return body();
    std::fputs(page.c_str(), stdout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", title.substr(0, title.find(':')).c_str(), error.what());
    return 2;
  }
}

}  // namespace command_line
