// map inside a Thrust algorithm: one thread for each element, or for each row if a kernel sums over the
// row.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"
#include "tenon/program/encoding.hpp"
#include "tenon/program/kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

// Calls f with the constants 0, 1, .. Count - 1.
template <int Count, class F>
TENON_HOST_DEVICE inline void each_number(F f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
  (std::make_integer_sequence<int, Count>{});
}

// nvcc 13 writes a template argument that is a value of class type in a form that its host compiler cannot read. So threads are named by
// the words of a kernel's code.
template <std::uint64_t... Words>
struct kernel_of_words : ir::kernel_code<ir::encoded<sizeof...(Words)>{{Words...}}> {};
template <std::uint64_t... Words>
struct loop_of_words : ir::loop_code<ir::encoded<sizeof...(Words)>{{Words...}}> {};
template <class Kernel>
struct named_by_words {
  using type = Kernel;
};
template <int Count, ir::encoded<Count> Code>
struct named_by_words<ir::kernel_code<Code>> {
  template <class>
  struct spelled;
  template <std::size_t... K>
  struct spelled<std::index_sequence<K...>> {
    using type = kernel_of_words<Code.words[K]...>;
  };
  using type = typename spelled<std::make_index_sequence<std::size_t(Count)>>::type;
};
template <int Count, ir::encoded<Count> Code>
struct named_by_words<ir::loop_code<Code>> {
  template <class>
  struct spelled;
  template <std::size_t... K>
  struct spelled<std::index_sequence<K...>> {
    using type = loop_of_words<Code.words[K]...>;
  };
  using type = typename spelled<std::make_index_sequence<std::size_t(Count)>>::type;
};

// The work of a thread. The kernel's program is read only at compile time, so that the device needs no copy of it.
template <class Kernel, class T>
struct map_thread {
  using kernel = Kernel;
  static constexpr int load_count = Kernel::body.loads.size, store_count = Kernel::body.stores.size;
  static constexpr int width = Kernel::body.width, local_count = Kernel::body.code.size;

  int rows;
  operand<const T> loads[load_count + 1];
  operand<T> stores[store_count + 1];

  // Does this store reduce a row to one number, and how many stores before it do?
  static constexpr bool reduces(int store) { return Kernel::body.stores[store].reduction != opcode::copy; }
  static constexpr int reductions_before(int store) {
    int count = 0;
    for (int s = 0; s < store; ++s) count += reduces(s) ? 1 : 0;
    return count;
  }
  static constexpr bool has_reductions() { return reductions_before(store_count) > 0; }

  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    T reduced[store_count + 1];
    if constexpr (has_reductions()) {
      const std::ptrdiff_t t = index / rows, r = index % rows;
      begin_row(reduced);
      for (int j = 0; j < width; ++j) element(t, r, j, reduced);
      end_row(t, r, reduced);
    } else {
      const std::ptrdiff_t row = index / width;
      element(row / rows, row % rows, static_cast<int>(index % width), reduced);
    }
  }

  TENON_HOST_DEVICE static void begin_row(T* reduced) {
    each_store([&](auto s) {
      constexpr opcode reduction = Kernel::body.stores[s].reduction;
      reduced[s] = reduction == opcode::row_max ? -std::numeric_limits<T>::infinity() : T(0);
    });
  }
  TENON_HOST_DEVICE void end_row(std::ptrdiff_t t, std::ptrdiff_t r, const T* reduced) const {
    each_store([&](auto s) {
      constexpr opcode reduction = Kernel::body.stores[s].reduction;
      if constexpr (reduction != opcode::copy) at(stores[s], t, r, 0) = reduced[s];
    });
  }
  // One element of a row; sums and maxima are added to `reduced`.
  TENON_HOST_DEVICE void element(std::ptrdiff_t t, std::ptrdiff_t r, int j, T* reduced) const {
    T loaded[load_count + 1], local[local_count + 1];
    each_number<load_count>([&](auto l) {
      constexpr bool broadcast = Kernel::body.loads[l].broadcast;
      loaded[l] = at(loads[l], t, r, broadcast ? 0 : j);
    });
    evaluate<Kernel>(loaded, local);
    each_store([&](auto s) {
      constexpr map_store store = Kernel::body.stores[s];
      static_assert(!store.accumulates(), "threads would add to one number at once");
      const T y = local[store.local];
      if constexpr (store.reduction == opcode::row_sum) reduced[s] += y;
      else if constexpr (store.reduction == opcode::row_max) reduced[s] = reduced[s] < y ? y : reduced[s];
      else at(stores[s], t, r, j) = y;
    });
  }

  template <class U>
  TENON_HOST_DEVICE static U& at(const operand<U>& o, std::ptrdiff_t t, std::ptrdiff_t r, int j) {
    return o.data[t * o.step + r * o.row + j];
  }

 private:
  template <class F>
  TENON_HOST_DEVICE static void each_store(F f) {
    each_number<store_count>(f);
  }
};

template <class Kernel, class T>
auto thread_of_map(int rows, const operand<const T>* loads, const operand<T>* stores) {
  using thread = map_thread<typename named_by_words<Kernel>::type, T>;
  thread one{};
  one.rows = rows;
  for (int l = 0; l < thread::load_count; ++l) one.loads[l] = loads[l];
  for (int s = 0; s < thread::store_count; ++s) one.stores[s] = stores[s];
  return one;
}

// A map of an update step: skipped if the loss or a norm is not finite. No numbers (null): always runs.
template <class Map>
struct map_of_step {
  Map map;
  const run_numbers* numbers;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    if (numbers == nullptr || numbers->is_finite()) map(index);
  }
};
template <class Map>
std::ptrdiff_t threads_of_map(const Map&, int steps, int rows) {
  return std::ptrdiff_t(steps) * rows * (Map::has_reductions() ? 1 : Map::width);
}

}  // namespace thrust_detail

// The operands are in the device's memory.
template <class Kernel, class T>
void map(thrust_device, int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
  const auto one = thrust_detail::thread_of_map<Kernel>(rows, loads, stores);
  thrust_detail::for_each_index(thrust_detail::threads_of_map(one, steps, rows), one);
}
// The same, skipped if the run's numbers are not finite; the device decides.
template <class Kernel, class T>
void map_if_finite(thrust_device, const run_numbers* numbers, int steps, int rows,
                   const operand<const T>* loads, const operand<T>* stores) {
  const auto one = thrust_detail::thread_of_map<Kernel>(rows, loads, stores);
  thrust_detail::for_each_index(thrust_detail::threads_of_map(one, steps, rows),
                                thrust_detail::map_of_step<std::remove_const_t<decltype(one)>>{one, numbers});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
