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
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

// Its functions are cold: compiled to be small.
namespace command_line {

struct option {
  std::string name;  // one that does not begin with --, such as NAME, takes all words that belong to no option
  struct pointer {   // to the variable: one of these
    pointer(std::string* to) : text(to) {}
    pointer(int* to) : whole(to) {}
    pointer(std::uint64_t* to) : large(to) {}
    pointer(double* to) : number(to) {}
    pointer(std::vector<std::string>* to) : texts(to) {}
    pointer(bool* to) : flag(to) {}  // becomes true; the option has no value
    std::string* text = nullptr;
    int* whole = nullptr;
    std::uint64_t* large = nullptr;
    double* number = nullptr;
    std::vector<std::string>* texts = nullptr;
    bool* flag = nullptr;
  } variable;
  std::string sentence;
  double least = 0, most = std::numeric_limits<double>::max();  // of a number
};

inline std::string text_of(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", number);
  return text;
}

// The number that `text` is, all of it.
template <class T>
[[gnu::cold]] void read_number(const option& o, const std::string& text, T& to, const char* kind) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const double value = static_cast<double>(number);
  const bool is_right = error == std::errc{} && end == text.data() + text.size() && value >= o.least && value <= o.most;
  if (!is_right)
    throw std::invalid_argument(o.name + ": expected a " + kind + " " +
                                (o.most < std::numeric_limits<double>::max() ? "from " + text_of(o.least) + " to " + text_of(o.most) : "of at least " + text_of(o.least)) +
                                (error == std::errc::result_out_of_range ? " that fits its type" : "") + ", got '" + text + "'");
  to = number;
}

[[gnu::cold]] inline void assign(const option& o, const std::string& text) {
  const option::pointer& to = o.variable;
  if (to.whole) read_number(o, text, *to.whole, "whole number");
  else if (to.large) read_number(o, text, *to.large, "whole number");
  else if (to.number) read_number(o, text, *to.number, "number");
  else if (to.text) *to.text = text;
  else to.texts->push_back(text);
}

// What --help prints. The variables still have their defaults; a number below the least one means that there is none.
[[gnu::cold]] inline std::string help(const std::string& title, const std::vector<option>& options) {
  std::string page = title + "\n\n";
  for (const option& o : options) {
    const option::pointer& of = o.variable;
    std::string left = "  " + o.name + (!o.name.starts_with("--") ? " ..." : of.flag ? "" : of.text ? " TEXT" : of.number ? " X" : " N");
    left.resize(std::max<std::size_t>(left.size() + 2, 24), ' ');
    page += left + o.sentence;
    const double number = of.whole ? *of.whole : of.large ? static_cast<double>(*of.large) : of.number ? *of.number : o.least - 1;
    if (number >= o.least) page += " (" + text_of(number) + ")";
    if (of.text && !of.text->empty()) page += " (" + *of.text + ")";
    page += "\n";
  }
  return page + "  --help                prints this\n";
}

// Fills the variables from the words behind the program's name: --name VALUE or --name=VALUE. Returns whether one of them is --help.
[[gnu::cold]] inline bool parse(int count, char** words, const std::vector<option>& options) {
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
    else if (found->variable.flag != nullptr && sign != std::string::npos) throw std::invalid_argument(name + " has no value");
    else if (found->variable.flag != nullptr) *found->variable.flag = true;
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
