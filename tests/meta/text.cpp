// Strings in constant evaluation: as template arguments, as members that are cut off if they are too long, and what stands instead of them.
#include "tenon/meta/text.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <string>

namespace tenon::inline v0_1::ir {

namespace {

template <text Text>
constexpr characters of = literal<Text>;

static_assert(of<"abc"> == "abc" && of<"abc">.size() == 3 && of<"">.empty());
const std::string known_at_run_time;
static_assert(of<'h'> == "a character" && of<3> == "a number" && of<2.5> == "a number" &&
              of<true> == "a number" && of<known_at_run_time> == "a variable");

// Sizes: whole numbers that fit an int.
static_assert(size_from<12> == 12 && size_from<12L> == 12 && size_from<12.0> == 12 && size_from<-3> == -3);
static_assert(size_from<2147483647> == INT_MAX);
static_assert(size_from<2147483648> == size_argument::is_no_int &&
              size_from<2.5> == size_argument::is_no_int);
static_assert(size_argument("x").size == size_argument::is_text);

// Fractions: an integer 0 is refused, because it may be a 1 / 2 in integer division.
static_assert(share_from<0.5> == 0.5 && share_from<0.0> == 0 && share_from<0.f> == 0 && share_from<1> == 1);
static_assert(share_from<1 / 2> < 0 && share_from<0L> < 0 && share_from<1.0 / 2> == 0.5);

// Names.
static_assert(name("a").append(".").append("b") == "a.b" && name().empty());
static_assert(name("k").append(0) == "k0" && name("k").append(-12) == "k-12");
static_assert(name("").append(INT_MIN) == "-2147483648" && name("").append(INT_MAX) == "2147483647");
static_assert(!(name("ab") == name("ba")) && !(name("ab") == name("abc")));
static_assert(detail::join("outer", "inner") == "outer.inner" && detail::join({}, "inner") == "inner" &&
              detail::join("outer", "") == "outer");
static_assert(literal<exact_text<3>(name("abc"))> == "abc");

}  // namespace

TEST_CASE("a name that is too long is cut, and equals no other") {
  const std::string longest(label::capacity, 'x');
  const label whole(longest), cut(longest + "y"), another(longest + "z"), dots(longest.substr(2) + "..");
  CHECK(std::string(whole.view()) == longest);
  CHECK(std::string(cut.view()) == longest.substr(2) + "..");
  CHECK(cut.view() == another.view());
  CHECK_FALSE(cut == another);
  CHECK_FALSE(cut == dots);
  CHECK(cut == label(longest + "y"));
}
TEST_CASE("a name made of another has all of it, what was cut off, too") {
  const std::string longest(label::capacity, 'x');
  const label once(longest + "/2"), another(longest + "/3");
  CHECK(once.view() == another.view());
  CHECK_FALSE(label().append(once) == label().append(another));
  CHECK_FALSE(label().append(once).append("/2") == label().append(another).append("/2"));
  label twice = label().append(once).append("/2"), thrice = label().append(twice).append("/2");
  CHECK_FALSE(twice == thrice);
  CHECK(label("time").append(label("/2")) == label("time/2"));  // nothing was cut off
}

}  // namespace tenon::inline v0_1::ir
