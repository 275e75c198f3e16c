// The kernel of maps with sums or maxima over a row: a warp or a block runs all maps of its row, and keeps in registers the values that
// they pass to each other.
#pragma once

#include "tenon/backend/cuda/reduce.hpp"
#include "tenon/backend/thrust/map.hpp"
#include "tenon/program/row_links.hpp"

#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// Several maps in their order, as an argument of a kernel.
template <class First, class... Rest>
struct in_a_row {
  First first;
  in_a_row<Rest...> rest;
};
template <class First>
struct in_a_row<First> {
  First first;
};
template <int N, class Maps>
TENON_HOST_DEVICE constexpr const auto& map_at(const Maps& maps) {
  if constexpr (N == 0) return maps.first;
  else return map_at<N - 1>(maps.rest);
}

// Where the loads and stores of several maps are: loads and stores are counted over all maps. Bytes: the size of a number.
template <class Links, int Lanes, int Bytes, class... Maps>
struct row_plan {
  static constexpr int load_counts[sizeof...(Maps)]{Maps::load_count...},
      store_counts[sizeof...(Maps)]{Maps::store_count...}, widths[sizeof...(Maps)]{Maps::width...};
  static constexpr int first_load(int n) { return n == 0 ? 0 : first_load(n - 1) + load_counts[n - 1]; }
  static constexpr int first_store(int n) { return n == 0 ? 0 : first_store(n - 1) + store_counts[n - 1]; }
  static constexpr int loads() { return first_load(sizeof...(Maps)); }
  static constexpr int stores() { return first_store(sizeof...(Maps)); }
  static constexpr int map_of_store(int p) {
    int n = 0;
    while (first_store(n + 1) <= p) ++n;
    return n;
  }
  static constexpr int passes(int n) { return (widths[n] + Lanes - 1) / Lanes; }
  static constexpr bool is_of_row(int p) {  // one number for the row?
    const int mine = map_of_store(p);
    bool is = widths[mine] == 1;
    int n = 0;
    ((is = is || (n == mine && Maps::reduces(p - first_store(mine))), ++n), ...);
    return is;
  }
  static constexpr bool is_linked(int p) {
    for (int l = 0; l < loads(); ++l)
      if (Links::loads::at(l) == p) return true;
    return false;
  }
  // How many numbers of rows a thread keeps from map to map for the stores before p; the numbers of store p come next.
  static constexpr int numbers_before(int p) {
    int numbers = 0;
    for (int q = 0; q < p; ++q)
      if (is_linked(q) && !is_of_row(q)) numbers += passes(map_of_store(q));
    return numbers;
  }
  static constexpr bool in_registers() { return numbers_before(stores()) * Bytes <= 128; }
  static constexpr int kept() { return in_registers() ? numbers_before(stores()) : 0; }
  static constexpr bool is_kept(int p) { return in_registers() && is_linked(p) && !is_of_row(p); }
  static constexpr bool writes(int p) {
    return Links::stores::at(p) == 0 || (is_linked(p) && !is_of_row(p) && !in_registers());
  }
  static constexpr int source(int l) {
    const int p = Links::loads::at(l);
    return p < 0 || is_of_row(p) || in_registers() ? p : ir::from_maps_before;
  }
  static constexpr bool reads_memory_of_maps() {
    for (int l = 0; l < loads(); ++l)
      if (source(l) == ir::from_maps_before) return true;
    return false;
  }
  // Does map n write or read numbers in registers? Then its loop is unrolled.
  static constexpr bool keeps(int n) {
    for (int l = first_load(n); l < first_load(n + 1); ++l)
      if (source(l) >= 0 && !is_of_row(source(l))) return true;
    for (int p = first_store(n); p < first_store(n + 1); ++p)
      if (is_kept(p)) return true;
    return false;
  }
};

template <class Links, class T, int Lanes, class... Maps>
struct map_rows {
  using plan = row_plan<Links, Lanes, int(sizeof(T)), Maps...>;
  static constexpr int threads = block_of_rows(Lanes),
                       together = 8;  // numbers that a thread loads at once
  static constexpr int most_reductions = [] {
    int most = 0;
    ((most = Maps::reductions_before(Maps::store_count) > most ? Maps::reductions_before(Maps::store_count)
                                                               : most),
     ...);
    return most;
  }();
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, (most_reductions > 0 ? most_reductions : 1) * partials_of(Lanes)> partials;
  };

  std::ptrdiff_t rows;  // of all steps
  in_a_row<Maps...> maps;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t row = row_of_thread(thread.block.x, thread.index, Lanes);
    const place mine{row / maps.first.rows, row % maps.first.rows, lane_of_thread(thread.index, Lanes),
                     row < rows};
    T of_row[plan::stores() + 1], kept[plan::kept() + together];
    [&]<int... N>(std::integer_sequence<int, N...>) { (run<N>(thread, mine, of_row, kept), ...); }
    (std::make_integer_sequence<int, int(sizeof...(Maps))>{});
  }

 private:
  struct place {
    std::ptrdiff_t t, r;
    int lane;
    bool is_there;
  };
  template <int N>
  using map_type = std::remove_cvref_t<decltype(map_at<N>(std::declval<const in_a_row<Maps...>&>()))>;

  template <int N, class Thread>
  TENON_KERNEL void run(Thread& thread, const place& mine, T* of_row, T* kept) const {
    using map = map_type<N>;
    constexpr int passes = plan::passes(N), reductions = map::reductions_before(map::store_count);
    T reduced[map::store_count + 1];
    map::begin_row(reduced);
    if constexpr (map::width == 1) {  // every lane has the result
      numbers<N, 1>(mine, 0, 0, of_row, kept, reduced);
    } else if constexpr (plan::keeps(N)) {
      TENON_UNROLL for (int i = 0; i < passes; i += together) {
        numbers<N, together>(mine, mine.lane + i * Lanes, i, of_row, kept, reduced);
      }
    } else {
      for (int i = 0; i < passes; i += together)
        numbers<N, together>(mine, mine.lane + i * Lanes, i, of_row, kept, reduced);
    }
    if constexpr (reductions > 0) {
      T values[reductions];
      each_reduction<map>([&](auto s, auto n) { values[n] = reduced[s]; });
      if constexpr (map::width > 1)
        reduce_row<Lanes, reductions>(thread, thread.shared.partials, values, combine<map>{});
      each_reduction<map>([&](auto s, auto n) {
        constexpr int p = plan::first_store(N) + s;
        of_row[p] = values[n];
        if constexpr (plan::writes(p))
          if (mine.is_there && mine.lane == 0)
            map::at(map_at<N>(maps).stores[s], mine.t, mine.r, 0) = values[n];
      });
    }
    if constexpr (plan::reads_memory_of_maps() && N + 1 < int(sizeof...(Maps))) thread.synchronise();
  }
  // Computes element j of the row, and those Lanes, 2 Lanes, .. after it: the thread's i-th, (i + 1)-th, .. All are loaded first.
  template <int N, int Count>
  TENON_KERNEL void numbers(const place& mine, int j, int i, T* of_row, T* kept, T* reduced) const {
    using map = map_type<N>;
    T loaded[Count][map::load_count + 1];
    TENON_UNROLL for (int k = 0; k < Count; ++k) {
      if (mine.is_there && j + k * Lanes < map::width)
        load<N>(mine, j + k * Lanes, i + k, of_row, kept, loaded[k]);
    }
    TENON_UNROLL for (int k = 0; k < Count; ++k) {
      if (mine.is_there && j + k * Lanes < map::width) {
        T local[map::local_count + 1];
        evaluate<typename map::kernel>(loaded[k], local);
        store<N>(mine, j + k * Lanes, i + k, local, of_row, kept, reduced);
      }
    }
  }
  template <int N>
  TENON_KERNEL void load(const place& mine, int j, int i, const T* of_row, const T* kept, T* loaded) const {
    using map = map_type<N>;
    thrust_detail::each_number<map::load_count>([&](auto l) {
      constexpr int from = plan::source(plan::first_load(N) + l);
      if constexpr (from < 0) {
        constexpr bool broadcast = map::kernel::body.loads[l].broadcast;
        loaded[l] = map::at(map_at<N>(maps).loads[l], mine.t, mine.r, broadcast ? 0 : j);
      } else if constexpr (plan::is_of_row(from)) {
        loaded[l] = of_row[from];
      } else {
        constexpr int first = plan::numbers_before(from);
        loaded[l] = kept[first + i];
      }
    });
  }
  template <int N>
  TENON_KERNEL void store(const place& mine, int j, int i, const T* local, T* of_row, T* kept,
                          T* reduced) const {
    using map = map_type<N>;
    thrust_detail::each_number<map::store_count>([&](auto s) {
      constexpr map_store store = map::kernel::body.stores[s];
      constexpr int p = plan::first_store(N) + s;
      const T y = local[store.local];
      if constexpr (store.reduction == opcode::row_sum) {
        reduced[s] += y;
      } else if constexpr (store.reduction == opcode::row_max) {
        reduced[s] = reduced[s] < y ? y : reduced[s];
      } else {
        if constexpr (map::width == 1) {
          of_row[p] = y;
        } else if constexpr (plan::is_kept(p)) {
          constexpr int first = plan::numbers_before(p);
          kept[first + i] = y;
        }
        if constexpr (plan::writes(p))
          if (map::width > 1 || mine.lane == 0) map::at(map_at<N>(maps).stores[s], mine.t, mine.r, j) = y;
      }
    });
  }

  template <class Map>
  struct combine {
    TENON_KERNEL T operator()(int n, T a, T b) const {
      T result = a + b;
      each_reduction<Map>([&](auto s, auto m) {
        if constexpr (Map::kernel::body.stores[s].reduction == opcode::row_max)
          if (m == n) result = a < b ? b : a;
      });
      return result;
    }
  };
  // f(store, its number among the reductions)
  template <class Map, class F>
  TENON_KERNEL static void each_reduction(F f) {
    thrust_detail::each_number<Map::store_count>([&](auto s) {
      if constexpr (Map::reduces(s)) {
        constexpr int number = Map::reductions_before(s);
        f(s, std::integral_constant<int, number>{});
      }
    });
  }
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
