// map with sums or maxima over a row, such as softmax and layer_norm: a warp for each row, or a block if the row is long; and several maps
// of the same rows in one kernel, one after the other. Maps without sums are Thrust's.
#pragma once

#include "tenon/backend/cuda/map_rows.hpp"
#include "tenon/backend/cuda/tag.hpp"

#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace cuda_detail {

template <class Kernel, class T>
using named_map = thrust_detail::map_thread<typename thrust_detail::named_by_words<Kernel>::type, T>;

template <class T, class Kernel, class... Rest>
in_a_row<named_map<Kernel, T>, named_map<Rest, T>...> threads_of_maps(int rows,
                                                                      const operand<const T>* const* loads,
                                                                      const operand<T>* const* stores) {
  if constexpr (sizeof...(Rest) == 0) return {thrust_detail::thread_of_map<Kernel>(rows, *loads, *stores)};
  else
    return {thrust_detail::thread_of_map<Kernel>(rows, *loads, *stores),
            threads_of_maps<T, Rest...>(rows, loads + 1, stores + 1)};
}
template <class Links, class T, class... Maps>
void launch_rows(int steps, int rows, const in_a_row<Maps...>& maps, const char* kernel_name) {
  constexpr int lanes = [] {
    int widest = 1;
    ((widest = Maps::width > widest ? Maps::width : widest), ...);
    return threads_of_row(widest);
  }();
  const std::ptrdiff_t all = std::ptrdiff_t(steps) * rows;
  launch(map_rows<Links, T, lanes, Maps...>{all, maps}, {blocks_for_rows(all, lanes)}, kernel_name);
}

// The links of a single map.
template <class Loads, class Stores>
struct links_of_one;
template <int... Loads, int... Stores>
struct links_of_one<std::integer_sequence<int, Loads...>, std::integer_sequence<int, Stores...>> {
  using type = ir::row_links<ir::numbers_in_order<ir::from_memory + 0 * Loads...>,
                             ir::numbers_in_order<0 * Stores...>>;
};

template <class Kernel>
constexpr bool writes_alone = [] {
  for (const map_store& s : Kernel::body.stores)
    if (s.accumulates()) return false;
  return true;
}();

}  // namespace cuda_detail

template <class Kernel, class T>
void map(cuda, int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
  using thread = cuda_detail::named_map<Kernel, T>;
  if constexpr (thread::has_reductions()) {
    using alone = cuda_detail::links_of_one<std::make_integer_sequence<int, thread::load_count>,
                                            std::make_integer_sequence<int, thread::store_count>>;
    cuda_detail::launch_rows<typename alone::type, T>(
        steps, rows, cuda_detail::threads_of_maps<T, Kernel>(rows, &loads, &stores), "map");
  } else {
    map<Kernel>(thrust_device{}, steps, rows, loads, stores);
  }
}
constexpr bool takes_maps_of_rows(cuda) { return true; }
// Runs several maps of the same rows in one kernel, if one of them has a sum or a maximum. Each may read what earlier maps computed for
// its row.
template <class Links, class... Kernels, class T>
requires((sizeof...(Kernels) > 1) && (cuda_detail::writes_alone<Kernels> && ...) &&
         (cuda_detail::named_map<Kernels, T>::has_reductions() || ...))  //
    void maps_of_rows(cuda, int steps, int rows, const operand<const T>* const* loads,
                      const operand<T>* const* stores) {
  cuda_detail::launch_rows<Links, T>(
      steps, rows, cuda_detail::threads_of_maps<T, Kernels...>(rows, loads, stores), "maps_of_rows");
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
