// The sentences of refused calls list the members of a struct: TENON_MEMBERS_OF_<STRUCT>. A list is a literal, since clang takes nothing
// else as the reason of a deleted function; here each is compared with its struct, and no sentence has a list of its own.
#include "layering/house.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace {

using names = std::vector<std::string>;

std::string whole_house() {
  std::string all;
  for (const auto& [path, text] : house::read(TENON_SOURCE_DIR "/include/tenon")) all += text + "\n";
  return std::regex_replace(all, std::regex(R"(\\\n\s*)"), "");  // a macro's lines become one
}

// The names behind points in a list, without those in parentheses.
names listed(const std::string& list) {
  const std::string outer = std::regex_replace(list, std::regex(R"(\([^)]*\))"), "");
  names all;
  static const std::regex name(R"(\.([a-z_0-9]+))");
  for (std::sregex_iterator at(outer.begin(), outer.end(), name), end; at != end; ++at)
    all.push_back((*at)[1].str());
  return all;
}

// The members of a struct, in their order: what is left of each declaration without its initial value, its type's arguments, and functions.
names members(const std::string& house, const std::string& name) {
  const std::string begin = "\nstruct " + name + " {\n";
  const std::size_t from = house.find(begin);
  if (from == std::string::npos) return {};
  const std::string body = house::code_of(house.substr(from + begin.size(), house.find("\n};", from) - from));
  names all;
  std::string declaration;
  int depth = 0;
  bool is_value = false;
  const auto keep = [&] {
    static const std::regex last(R"((?:^|\s)([a-z_0-9]+)\s*$)");
    if (std::smatch found; std::regex_search(declaration, found, last)) all.push_back(found[1].str());
  };
  bool is_function = false;
  for (char c : body.substr(0, body.find("\n}"))) {
    if (c == '{' || c == '(' || c == '<') ++depth;
    is_function = is_function || (c == '(' && depth == 1 && !is_value);
    if (depth == 0 && c == '=') is_value = true;
    if (depth == 0 && (c == ';' || c == ',')) {
      if (declaration.find("static") == std::string::npos && !is_function) keep();
      declaration = c == ';' ? "" : declaration.find("static") != std::string::npos ? "static " : "type ";
      is_value = false;
    } else if (depth == 0 && !is_value) {
      declaration += c;
    }
    if (c == '}' || c == ')' || c == '>') --depth;
    if (c == '}' && depth == 0 && is_function) {  // the end of its body
      declaration.clear();
      is_function = false;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("each list has the members of its struct, in their order") {
  const std::string house = whole_house();
  std::map<std::string, std::string> lists;
  static const std::regex define(R"(#define TENON_MEMBERS_OF_([A-Z_0-9]+) ([^\n]*))");
  for (std::sregex_iterator at(house.begin(), house.end(), define), end; at != end; ++at)
    lists[(*at)[1].str()] = (*at)[2].str();
  CHECK(lists.size() >= 17);
  for (const auto& [upper, list] : lists) {
    std::string name;
    for (char c : upper) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    CAPTURE(name);
    CHECK(listed(list) == members(house, name));
    CHECK_FALSE(listed(list).empty());
  }
}

TEST_CASE("no sentence lists members by itself") {
  const std::string house = whole_house();
  static const std::regex list(R"re("[^"\n]*[ (]\.[a-z_0-9]+, \.[a-z_0-9]+[^\n]*)re");
  for (std::sregex_iterator at(house.begin(), house.end(), list), end; at != end; ++at) {
    const std::size_t line = house.rfind('\n', static_cast<std::size_t>(at->position())) + 1;
    CAPTURE(at->str());
    CHECK(house.substr(line).starts_with("#define TENON_MEMBERS_OF_"));
  }
}

TEST_CASE("another order, and a member that is missing, are seen") {
  const std::string house =
      "\nstruct of_two {\n  int first = 1, second{2};  // both\n  std::map<int, int> third{{1, 2}};\n"
      "  bool f(int a) const { return a == 1; }\n  static constexpr int states = 2;\n};\n";
  CHECK(members(house, "of_two") == names{"first", "second", "third"});
  CHECK(members(house, "of_three") == names{});
  CHECK(listed("\".first, .second (\" OTHER \".a, .b\" \"), .third\"") == names{"first", "second", "third"});
}
