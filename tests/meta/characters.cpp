#include "tenon/meta/text.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <iomanip>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using tenon::ir::characters;

namespace {
constexpr characters path = "decoder.attention";
constexpr tenon::ir::text<4> own("own");
}  // namespace

static_assert(path.size() == 17 && !path.empty() && path[8] == 'a' && *(path.end() - 1) == 'n');
static_assert(characters().empty() && characters() == "" && characters("").empty());
static_assert(path == path.substr(0) && path != "decoder" && path != "decoder.attentioN");
static_assert(path.substr(8) == "attention" && path.substr(8, 2) == "at" && path.substr(17).empty());
static_assert(path.starts_with("decoder") && path.starts_with("") && !path.starts_with("attention"));
static_assert(!characters("a").starts_with("ab") && path.ends_with('n') && !characters().ends_with('n'));
static_assert(path.find("t") == 9 && path.find("t", 10) == 10 && path.find("tion") == 13);
static_assert(path.find("ions") == characters::npos && path.find("d", 5) == characters::npos);
static_assert(own.view() == "own" && tenon::ir::name("own").view() == own.view());

// Exactly the types that have data() and size() of char are read as characters, which convert to std's strings.
static_assert(std::is_convertible_v<std::string, characters>);
static_assert(std::is_convertible_v<std::string_view, characters>);
static_assert(!std::is_convertible_v<std::vector<int>, characters> &&
              !std::is_convertible_v<int, characters>);
static_assert(!std::is_convertible_v<characters, int> && !std::is_convertible_v<characters, const char*>);
static_assert(!std::is_convertible_v<characters, bool>);
static_assert(!std::is_convertible_v<characters, std::initializer_list<char>>);
struct tag {
  std::string s;
  long n;
};
static_assert(!std::is_convertible_v<characters, tag> &&
              !std::is_convertible_v<characters, std::pair<std::string, int>>);

constexpr std::string_view standard = path;
static_assert(path == standard && standard == path && path != standard.substr(1) &&
              standard.substr(1) != path);
static_assert(characters(standard).data() == path.data() && tenon::ir::name(standard).view() == standard);
static_assert(std::is_convertible_v<std::string_view, tenon::ir::name>);

static_assert(characters("a") < characters("ab") && characters("ab") < characters("b") && characters() < "a");
static_assert(!(path < path) && path < std::string_view("e") && std::string_view("a") < path);
static_assert(characters("z") < characters("\xe4"), "as std::string orders: by unsigned char");

TEST_CASE("characters become a std::string") {
  std::string s(path);
  CHECK(s == path);
  CHECK(path == s);
  s = path.substr(0, 7);
  s += path.substr(7, 1);
  CHECK(s == "decoder.");
  const std::string copied = path;
  CHECK(copied == "decoder.attention");
  CHECK(path == "decoder.attention");
}

TEST_CASE("a stream writes characters, with its width and fill") {
  std::ostringstream out;
  out << path.substr(0, 7) << std::setw(5) << std::left << std::setfill('.') << own.view() << "|";
  CHECK(out.str() == "decoderown..|");
}
