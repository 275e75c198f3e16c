// The numbers of loads, stores and products of a loop's kernels, counted by hand.
#include "tenon/backend/cuda/row_kernels.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace tenon::test {

using namespace backend::cuda_detail;

template <int Loads, int Stores, int Width>
struct some_map {
  static constexpr int loads = Loads, stores = Stores, width = Width, depth = 0, products = 0;
};
using all = kernels_in_rows<some_map<5, 2, 7>, product_in_rows<28, 9>, some_map<3, 1, 40>, some_map<1, 1, 4>,
                            product_in_rows<6, 8>>;

TEST_CASE("counts of all kernels, and of those before one") {
  static_assert(all::count == 5 && all::load_count == 9 && all::store_count == 4 && all::product_count == 2);
  static_assert(all::widest == 40);
  const int loads[]{0, 5, 5, 8, 9, 9}, stores[]{0, 2, 2, 3, 4, 4}, products[]{0, 0, 1, 1, 1, 2};
  for (int k = 0; k <= all::count; ++k) {
    CAPTURE(k);
    CHECK(all::loads_before(k) == loads[k]);
    CHECK(all::stores_before(k) == stores[k]);
    CHECK(all::products_before(k) == products[k]);
  }
}
TEST_CASE("sizes of products, by their number") {
  static_assert(all::depth_of(0) == 28 && all::size_of(0) == 9);
  static_assert(all::depth_of(1) == 6 && all::size_of(1) == 8);
  static_assert(std::is_same_v<kernel_in_rows<backend::row_transposed<3, 4>>::type, product_in_rows<3, 4>>);
}

}  // namespace tenon::test
