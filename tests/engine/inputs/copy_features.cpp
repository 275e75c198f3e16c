// The numbers along the last axis, of a view with and without gaps, and of an expression without memory.
#include "tenon/engine/inputs/copy_features.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace tenon::test {

constexpr int numbers[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

// A table of products that is nowhere in memory.
struct products {
  std::size_t rows, columns;
  std::size_t dimension() const { return 2; }
  std::vector<std::size_t> shape() const { return {rows, columns}; }
  std::size_t operator()(std::size_t i, std::size_t j) const { return i * j; }
};

TEST_CASE("copy_features copies the last axis, with and without gaps, and converts") {
  float to[4]{-1, -1, -1, -1};
  engine::copy_features<3>(view<const int>(numbers, {2, 3}, {4, 1}), to, 1);
  CHECK(std::vector<float>(to, to + 4) == std::vector<float>{4, 5, 6, -1});
  int whole[3]{};
  engine::copy_features<3>(view<const int>(numbers, {2, 3}, {4, 1}), whole, 1);
  CHECK(std::vector<int>(whole, whole + 3) == std::vector<int>{4, 5, 6});
  engine::copy_features<2>(view<const int>(numbers, {2, 2, 2}, {6, 1, 3}), whole, 1, 1);  // every third
  CHECK(std::vector<int>(whole, whole + 3) == std::vector<int>{7, 10, 6});
}
TEST_CASE("copy_features reads an expression that has no memory") {
  float to[3]{-1, -1, -1};
  engine::copy_features<2>(products{4, 2}, to, 3);
  CHECK(std::vector<float>(to, to + 3) == std::vector<float>{0, 3, -1});
}

}  // namespace tenon::test
