#include "tenon/meta/pattern.hpp"

#include <doctest/doctest.h>

using tenon::ir::matches;

static_assert(matches("weight", "weight") && !matches("weight", "weights") && !matches("weight", "weigh"));
static_assert(matches("*", "") && matches("*", "states.bias") && matches("", "") && !matches("", "x"));
static_assert(matches("states.weight_hh*", "states.weight_hh_l0_reverse") &&
              matches("weight_hh*", "weight_hh"));
static_assert(!matches("states.weight_hh*", "states.weight_ih_l0") &&
              !matches("weight_hh*", "states.weight_hh"));
static_assert(matches("*.bias", "a.b.bias") && !matches("*.bias", "bias") && !matches("*.bias", "a.bias_ih"));
static_assert(matches("*weight*l1*", "x.weight_ih_l1_reverse") && !matches("*weight*l1*", "x.weight_ih_l0"));
static_assert(matches("a*b*c", "abbc") && matches("a**c", "ac") && !matches("a*b*c", "acb"));
static_assert(matches("*ab", "aab") && matches("*aba", "ababa"), "what a star took is given back");

TEST_CASE("patterns are matched at compile time") { CHECK(matches("*", "all")); }
TEST_CASE("several stars, and none") {
  CHECK(matches("states.bias_l0", "states.bias_l0"));
  CHECK(!matches("states.bias_l0", "states.bias_l0_reverse"));
  CHECK(matches("states.*", "states."));
  CHECK(matches("*bias*", "states.bias_l0"));
  CHECK(matches("*.bias*_l?", "a.bias_x_l?"));  // no other character is a wildcard
  CHECK(!matches("*.bias", "logits.bias_l0"));
  CHECK(matches("*a*ab", "xaaxaab"));
  CHECK(!matches("*a*ab", "xaaxaba"));
  CHECK(matches("**", ""));
  CHECK(!matches("", "a"));
}
