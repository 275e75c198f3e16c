#include "tenon/meta/type_name.hpp"

#include <doctest/doctest.h>

namespace tenon {
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
namespace nn {
struct of_nn {};
namespace score {
struct of_score {};
}
namespace cells {
struct of_cells {};
}
}  // namespace nn
}  // namespace tenon
struct users_own {};
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
static_assert(tenon::ir::type_name<tenon::called<"a];b>", tenon::leaf, tenon::called<"">>>() ==
              "called<\"a];b>\", leaf, called<\"\">>");
static_assert(tenon::ir::type_name<tenon::holds<tenon::own_text{"ab"}>>().view().ends_with('>'));

TEST_CASE("a long name ends in dots") {
  CHECK(tenon::ir::type_name<a_name_that_is_much_longer_than_the_sixty_three_characters_a_name_can_hold>() ==
        "a_name_that_is_much_longer_than_the_sixty_three_characters_a...");
}
