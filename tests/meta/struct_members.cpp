// The members of a struct by number and by name, of both macros of Hana.
#include "tenon/meta/struct_members.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace garden {
struct flower {
  std::array<float, 4> measured;
  int species;
  std::string seen_at;
};
struct pot {
  BOOST_HANA_DEFINE_STRUCT(pot, (int, width), (std::vector<flower>, flowers));
};
struct spade {
  int length;
};
}  // namespace garden
BOOST_HANA_ADAPT_STRUCT(garden::flower, measured, species);  // only some members

namespace tenon::inline v0_1::ir {

using flower = struct_members<garden::flower>;
using pot = struct_members<garden::pot>;

TEST_CASE("names, types and number of members, in their order") {
  static_assert(flower::count == 2);
  static_assert(flower::name<0>.view() == "measured" && flower::name<1>.view() == "species");
  static_assert(std::is_same_v<flower::type<0>, std::array<float, 4>>);
  static_assert(pot::count == 2 && pot::name<1>.view() == "flowers");
  static_assert(std::is_same_v<pot::type<1>, std::vector<garden::flower>>);
}
TEST_CASE("a member of a struct is read and written") {
  constexpr garden::pot fixed{};
  static_assert(std::is_same_v<decltype(pot::of<0>(fixed)), const int&>);
  garden::pot some{3, {}};
  pot::of<0>(some) = 7;
  CHECK(some.width == 7);
  CHECK(&pot::of<1>(some) == &some.flowers);
}
TEST_CASE("other types have no members that are known") {
  static_assert(AdaptedStruct<garden::flower> && AdaptedStruct<garden::pot>);
  static_assert(!AdaptedStruct<garden::spade> && !AdaptedStruct<int> && !AdaptedStruct<std::string>);
  static_assert(!AdaptedStruct<std::array<float, 4>> && !AdaptedStruct<std::vector<garden::flower>>);
}

}  // namespace tenon::inline v0_1::ir
