// The kernels of a loop of rows: what each is, and how many loads, stores and products come before it.
#pragma once

#include "tenon/backend/row_loop.hpp"
#include "tenon/backend/thrust/map.hpp"

#include <tuple>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// A kernel of the loop: a map, named by its code, or dx[r, k] = sum_n g[r, n] w[n, k].
template <class Code>
struct map_in_rows : Code {
  static constexpr int loads = Code::body.loads.size, stores = Code::body.stores.size,
                       width = Code::body.width;
  static constexpr int depth = 0, products = 0;
};
template <int Depth, int Size>
struct product_in_rows {
  static constexpr int loads = 0, stores = 0, width = Size;
  static constexpr int depth = Depth, products = 1;
};

// The name of a kernel of the loop for nvcc.
template <class Kernel>
struct kernel_in_rows;
template <class Code>
struct kernel_in_rows<row_map<Code>> {
  using type = map_in_rows<typename thrust_detail::named_by_words<Code>::type>;
};
template <int Depth, int Size>
struct kernel_in_rows<row_transposed<Depth, Size>> {
  using type = product_in_rows<Depth, Size>;
};

// All kernels of a loop, in their order.
template <class... Kernels>
struct kernels_in_rows {
  static constexpr int count = sizeof...(Kernels);
  template <int K>
  using kernel = std::tuple_element_t<K, std::tuple<Kernels...>>;
  static constexpr int load_count = (Kernels::loads + ...), store_count = (Kernels::stores + ...);
  static constexpr int product_count = (Kernels::products + ...);
  static constexpr int widest = [] {
    int n = 0;
    ((n = Kernels::width > n ? Kernels::width : n), ...);
    return n;
  }();

  // The numbers of loads, stores and products of the kernels before kernel k.
  static constexpr int loads_before(int k) { return sum_before(k, {Kernels::loads...}); }
  static constexpr int stores_before(int k) { return sum_before(k, {Kernels::stores...}); }
  static constexpr int products_before(int k) { return sum_before(k, {Kernels::products...}); }
  // For product p: how many terms each sum has, and how many numbers it computes.
  static constexpr int depth_of(int p) {
    return numbers_of_kernels{Kernels::depth...}.of[kernel_of_product(p)];
  }
  static constexpr int size_of(int p) {
    return numbers_of_kernels{Kernels::width...}.of[kernel_of_product(p)];
  }

 private:
  struct numbers_of_kernels {
    int of[count];
  };
  static constexpr int sum_before(int k, numbers_of_kernels numbers) {
    int sum = 0;
    for (int n = 0; n < k; ++n) sum += numbers.of[n];
    return sum;
  }
  static constexpr int kernel_of_product(int p) {
    int k = 0;
    while (products_before(k + 1) <= p) ++k;
    return k;
  }
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
