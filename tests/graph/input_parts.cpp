// What each part of an input sets in its edge, and what is refused.
#include <tenon/graph/input_parts.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace tenon;

namespace {

// The edge that these parts describe, one after the other.
template <class... Parts>
ir::edge described(builder& b) {
  ir::edge e{.path = "x"};
  (detail::describe_input<Parts>(b, e), ...);
  return e;
}
template <class... Parts>
std::string rule_of() {
  const auto b = std::make_unique<builder>();
  described<Parts...>(*b);
  return std::string(b->wrong.rule.view());
}

}  // namespace

TEST_CASE("tokens, features, steps, grids and layers") {
  const auto b = std::make_unique<builder>();
  const ir::edge token_steps = described<token<12>, steps<20>>(*b);
  REQUIRE(b->ok());
  CHECK(token_steps.range == 12);
  CHECK(token_steps.is_token());
  CHECK(b->net.axes[token_steps.axis].bound == 20);
  CHECK(b->net.axes[token_steps.axis].name == ir::label("time"));
  const ir::edge rows = described<steps<20>, features<7>>(*b);
  CHECK(rows.size == 7);
  CHECK(rows.axis == token_steps.axis);  // one label, one axis
  const ir::edge image = described<grid<4, 6>, features<3>>(*b);
  CHECK(image.size == 3);
  CHECK(b->net.axes[image.axis].bound == 24);
  CHECK(b->net.axes[image.axis].grid == ir::extents{4, 6});
  CHECK(image.axis != rows.axis);
  const ir::edge state = described<layers<4>, features<5>>(*b);
  CHECK(state.layers == 4);
  CHECK(state.axis == -1);
  const ir::edge plain = described<features<5>>(*b);
  CHECK(plain.layers == 1);
  CHECK(b->ok());
}

TEST_CASE("sizes that mean nothing") {
  CHECK(rule_of<token<0>>() == "token<0> has no tokens");
  CHECK(rule_of<features<-3>>() == "features<-3> has no features");
  CHECK(rule_of<steps<0>>() == "steps<0> has no steps");
  CHECK(rule_of<layers<0>>() == "layers<0> has no layers");
  CHECK(rule_of<grid<0, 4>>() == "grid<height, width> needs positive sizes");
  CHECK(rule_of<grid<4, -1>>() == "grid<height, width> needs positive sizes");
  CHECK(rule_of<features<2, 3>>() == "features<n> is the width of one row, and has one size");
  CHECK(rule_of<grid<65536, 65536>>().starts_with("grid<height, width> has more places than "));
  CHECK(rule_of<token<3'000'000'000>>().starts_with("a size is not a whole number, or is above "));
  CHECK(rule_of<features<2.5>>().starts_with("a size is not a whole number, or is above "));
  CHECK(rule_of<int>() == "'int' is not a part of an input");
}

TEST_CASE("axes of one label have one bound and one shape") {
  CHECK(rule_of<steps<5>, steps<6>>() == "inputs bound one time axis differently:");
  CHECK(rule_of<steps<24, "map">, grid<4, 6, "map">>() ==
        "the axis 'map' has another height or width in another input");
  CHECK(rule_of<grid<4, 6>, grid<6, 4>>() == "the axis 'grid' has another height or width in another input");
  CHECK(rule_of<steps<5>, steps<6, "source">>().empty());
  CHECK(rule_of<steps<5, "the longest name of an axis that anybody has ever seen or written">>().starts_with(
      "the name of an axis has more than"));
}
