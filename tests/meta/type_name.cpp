#include "tenon/meta/type_name.hpp"

#include <doctest/doctest.h>

namespace tenon::inline v0_1 {
struct leaf {};
template <class, int>
struct branch {};
template <ir::text, class...>
struct called {};
struct own_text {
  ir::text<3> inside;
};
template <own_text>
struct holds {};
template <int, ir::text>
struct ended {};
template <double>
struct of_number {};
namespace nn {
struct of_nn {};
namespace score {
struct of_score {};
}
namespace cells {
struct of_cells {};
}
}  // namespace nn
}  // namespace tenon::inline v0_1
struct users_own {};
namespace my_score {
struct leaf {};
}
struct a_name_that_is_much_longer_than_the_sixty_three_characters_a_name_can_hold {};

static_assert(tenon::ir::type_name<tenon::leaf>() == "leaf");
static_assert(tenon::ir::type_name<users_own>() == "users_own");
// Layers, activations and scores as a graph writes them that opens nn
static_assert(tenon::ir::type_name<tenon::branch<tenon::nn::of_nn, 2>>() == "branch<of_nn, 2>");
static_assert(tenon::ir::type_name<tenon::nn::score::of_score>() == "of_score");
static_assert(tenon::ir::type_name<tenon::nn::cells::of_cells>() == "cells::of_cells");
static_assert(tenon::ir::type_name<tenon::branch<tenon::branch<tenon::leaf, 2>, 10>>() == "branch<branch<leaf, 2>, 10>");
static_assert(tenon::ir::type_name<tenon::branch<tenon::branch<tenon::leaf, 2>*, 10>>().view().starts_with("branch<branch<leaf, 2>"));
// A text is printed as the characters in its quotes, for any characters.
static_assert(tenon::ir::type_name<tenon::called<"time">>() == "called<\"time\">");
static_assert(tenon::ir::type_name<tenon::called<"a];b>", tenon::leaf, tenon::called<"x">>>() ==
              "called<\"a];b>\", leaf, called<\"x\">>");
// An empty text that ends the arguments was left out, which only g++ writes so.
static_assert(tenon::ir::type_name<tenon::called<"">>() == "called<>");
static_assert(tenon::ir::type_name<tenon::ended<3, "">>() == "ended<3>");
static_assert(tenon::ir::type_name<tenon::called<"", tenon::leaf>>() == "called<\"\", leaf>");
// The members of a value say little.
static_assert(tenon::ir::type_name<tenon::holds<tenon::own_text{"a}"}>>() == "holds<own_text{..}>");
// Numbers as they were written, with six digits.
template <double X>
constexpr bool is_spelled(tenon::ir::characters s) {
  return tenon::ir::type_name<tenon::of_number<X>>().view().substr(10) == s;
}
static_assert(is_spelled<0.1>("0.1>") && is_spelled<-0.25>("-0.25>") && is_spelled<0.35>("0.35>") && is_spelled<1.0>("1.0>") &&
              is_spelled<0.0>("0.0>") && is_spelled<123.5>("123.5>") && is_spelled<200000.0>("200000.0>") && is_spelled<0.999999999>("1.0>") &&
              is_spelled<1.0 / 3>("0.333333>") && is_spelled<0.00025>("0.00025>"));
static_assert(is_spelled<1e-7>("1e-7>") && is_spelled<2.5e10>("2.5e+10>") && is_spelled<-1.5e-5>("-1.5e-5>"));
// A name that contains the name of one of tenon's namespaces.
static_assert(tenon::ir::type_name<my_score::leaf>() == "my_score::leaf");

TEST_CASE("a long name ends in dots") {
  CHECK(tenon::ir::type_name<a_name_that_is_much_longer_than_the_sixty_three_characters_a_name_can_hold>() ==
        "a_name_that_is_much_longer_than_the_sixty_three_characters_a...");
}
