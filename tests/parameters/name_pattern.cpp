#include "tenon/parameters/name_pattern.hpp"

#include <doctest/doctest.h>

#include <random>
#include <regex>

using namespace tenon;

TEST_CASE("one star stands for any characters, none included") {
  CHECK(tenon::detail::name_patterns("states.*").match("states.weight_ih_l0"));
  CHECK(tenon::detail::name_patterns("states.*").match("states."));
  CHECK_FALSE(tenon::detail::name_patterns("states.*").match("states"));
  CHECK_FALSE(tenon::detail::name_patterns("states.*").match("my.states.weight"));
  CHECK(tenon::detail::name_patterns("*.weight").match("a.b.weight"));
  CHECK(tenon::detail::name_patterns("a.*.b").match("a.c.d.b"));
  CHECK_FALSE(tenon::detail::name_patterns("a.*.b").match("a.b"));  // the points are two
  CHECK_FALSE(tenon::detail::name_patterns("aba*aba").match("ababa"));
  CHECK(tenon::detail::name_patterns("*").match(""));
  CHECK(tenon::detail::name_patterns("a").match("a"));
  CHECK_FALSE(tenon::detail::name_patterns("a").match("ab"));
}
TEST_CASE("several patterns are one or the other; none is every name") {
  const tenon::detail::name_patterns some = {"embedded.*", "logits.bias"};
  CHECK(some.match("embedded.weight"));
  CHECK(some.match("logits.bias"));
  CHECK_FALSE(some.match("logits.weight"));
  CHECK(tenon::detail::name_patterns().match("anything"));
  CHECK(tenon::detail::name_patterns("a.*.*").match("a.b.c"));
  CHECK_FALSE(tenon::detail::name_patterns("a.*.*").match("a.b"));
  CHECK_THROWS_WITH_AS(detail::check_renaming({"a.*.*", "b.*"}),
                       "the renaming with 'a.*.*' has more than one '*'; write two renamings", input_error);
  const std::string many(100000, '*');
  CHECK_THROWS_WITH_AS(
      detail::check_renaming({many, "a"}),
      ("the renaming with '" + many.substr(0, 160) + "...' has more than one '*'; write two renamings")
          .c_str(),
      input_error);
}
TEST_CASE("patterns agree with a regular expression") {
  std::mt19937 random(4);
  const auto word = [&](unsigned long longest) {
    std::string text;
    for (unsigned long k = random() % (longest + 1); k > 0; --k) text += "ab"[random() % 2];
    return text;
  };
  for (int repetition = 0; repetition < 3000; ++repetition) {
    const std::string before = word(3), after = word(3), name = word(6);
    std::smatch found;
    const bool matches = std::regex_match(name, found, std::regex(before + "(.*)" + after));
    const auto middle = detail::match_pattern(before + "*" + after, name);
    REQUIRE(middle.has_value() == matches);
    if (matches) REQUIRE(*middle == found[1].str());
  }
}
TEST_CASE("a renaming carries what the star stands for") {
  CHECK(detail::renamed({"encoder.rnn.*", "states.*"}, "encoder.rnn.bias_hh_l0") == "states.bias_hh_l0");
  CHECK(detail::renamed({"module.*", "*"}, "module.a.b") == "a.b");
  CHECK(detail::renamed({"*_layer", "layers.*.weight"}, "first_layer") == "layers.first.weight");
  CHECK(detail::renamed({"a", "b"}, "a") == "b");
  CHECK_FALSE(detail::renamed({"a", "b"}, "c").has_value());
  CHECK_THROWS_WITH_AS(detail::check_renaming({"a.*", "b"}),
                       "the renaming 'a.*' to 'b' has one '*'; write one in both, or in none", input_error);
}
