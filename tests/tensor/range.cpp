// Which types count as ranges, and of which elements.
#include "tenon/tensor/range.hpp"

#include <doctest/doctest.h>

#include <array>
#include <concepts>
#include <list>
#include <span>
#include <string>
#include <vector>

using namespace tenon::detail;

static_assert(SizedRange<std::vector<int>> && SizedRange<std::span<const float>> &&
              SizedRange<std::list<int>>);
static_assert(SizedRange<std::array<double, 3>> && SizedRange<int[4]> && SizedRange<std::string>);
static_assert(!SizedRange<int> && !SizedRange<int*> && !SizedRange<void>);
static_assert(std::same_as<element_of<std::vector<bool>>, bool> &&
              std::same_as<element_of<const int[4]>, int>);
static_assert(std::same_as<element_of<element_of<std::vector<std::vector<long>>>>, long>);

TEST_CASE("ranges are told apart when they are compiled") { CHECK(SizedRange<std::vector<int>>); }
