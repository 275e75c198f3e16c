// map with sums or maxima over a row, softmax and layer_norm among them: a warp for each row, or a block where it is long. Maps without
// them are Thrust's.
#pragma once

#include "tenon/backend/cuda/reduce.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/thrust/map.hpp"

#include <utility>

namespace tenon::backend::inline TENON_DEVICE {

namespace cuda_detail {

// The stores of a map that hold one number of a row.
template <class Body>
constexpr int reductions_before(const Body& body, int end) {
  int count = 0;
  for (int s = 0; s < end; ++s) count += body.stores[s].reduction != op::copy ? 1 : 0;
  return count;
}

template <class Map, class Kernel, class T, int Lanes>
struct map_rows {
  static constexpr int threads = row_block, width = Map::width, stores = Map::store_count;
  static constexpr int reductions = reductions_before(Kernel::body, stores);
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, reductions * partials_of(Lanes)> partials;
  };

  std::ptrdiff_t rows;  // of all steps
  Map map;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t row = row_of_thread(thread.block.x, thread.index, Lanes);
    const std::ptrdiff_t t = row / map.rows, r = row % map.rows;
    const int lane = lane_of_thread(thread.index, Lanes);
    T reduced[stores + 1], values[reductions];
    Map::begin_row(reduced);
    if (row < rows)
      for (int j = lane; j < width; j += Lanes) map.element(t, r, j, reduced);
    each_reduction([&](auto s, auto n) { values[n] = reduced[s]; });
    reduce_row<Lanes, reductions>(thread, thread.shared.partials, values, combine{});
    each_reduction([&](auto s, auto n) { reduced[s] = values[n]; });
    if (row < rows && lane == 0) map.end_row(t, r, reduced);
  }

 private:
  struct combine {
    TENON_KERNEL T operator()(int n, T a, T b) const {
      T result = a + b;
      each_reduction([&](auto s, auto m) {
        if constexpr (Kernel::body.stores[s].reduction == op::row_max)
          if (m == n) result = a < b ? b : a;
      });
      return result;
    }
  };
  // f(store, its number among the reductions)
  template <class F>
  TENON_KERNEL static void each_reduction(F f) {
    [&]<int... S>(std::integer_sequence<int, S...>) { (one_reduction<S>(f), ...); }
    (std::make_integer_sequence<int, stores>{});
  }
  template <int S, class F>
  TENON_KERNEL static void one_reduction(F& f) {
    constexpr bool is_reduction = Kernel::body.stores[S].reduction != op::copy;
    if constexpr (is_reduction) {
      constexpr int number = reductions_before(Kernel::body, S);
      f(std::integral_constant<int, S>{}, std::integral_constant<int, number>{});
    }
  }
};

}  // namespace cuda_detail

template <class Kernel, class T>
void map(cuda, int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
  using named = typename thrust_detail::named_by_words<Kernel>::type;
  if constexpr (thrust_detail::map_thread<named, T>::has_reductions()) {
    constexpr int lanes = cuda_detail::threads_of_row(Kernel::body.width);
    const auto one = thrust_detail::thread_of_map<Kernel>(rows, loads, stores);
    using thread = std::remove_const_t<decltype(one)>;
    const std::ptrdiff_t all = std::ptrdiff_t(steps) * rows;
    cuda_detail::launch(cuda_detail::map_rows<thread, named, T, lanes>{all, one},
                        {cuda_detail::blocks_for(all, cuda_detail::row_block / lanes)});
  } else {
    map<Kernel>(thrust_device{}, steps, rows, loads, stores);
  }
}

}  // namespace tenon::backend::inline TENON_DEVICE
