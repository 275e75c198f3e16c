// stage: products and the only map that reads them, in one kernel: of a recurrent layer a step's product with its state, and its gates.
// The sums of a unit stay in the registers of the thread that makes it, and what the map writes goes to memory once.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/cuda/tile.hpp"
#include "tenon/backend/thrust/map.hpp"
#include "tenon/program/encoding.hpp"

#include <utility>

namespace tenon::backend::inline TENON_DEVICE {

// A stage reads all weights of a unit once for some rows, without a tile of them: with many weights a product in tiles reads memory less
// often. What runs on all steps at once has rows enough for these.
constexpr stage_limits limits_of_stages(cuda, int) { return {.sums = 16, .weights = 4096}; }
constexpr stage_limits limits_of_stages_of_steps(cuda, int, int) { return {}; }

namespace cuda_detail {

// Where the columns of a product begin in its matrix, for a thread.
struct first_columns {
  int count = 0, of[max_stage_sums]{};
};
constexpr first_columns columns_of(const stage_product& product) {
  first_columns all;
  for (int c : product.columns) all.of[all.count++] = c;
  return all;
}
// packed[k, c, unit] = w[columns[c] + unit, k]: threads of neighbouring units read neighbouring weights. W: as what they are stored.
template <int Width, int Depth, class T, class W>
struct pack_weight {
  first_columns columns;
  const T* w;
  W* packed;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [row, unit] = thrust_detail::row_of(index, Width);
    const auto k = row / columns.count, c = row % columns.count;
    packed[index] = W(w[(std::ptrdiff_t(columns.of[c]) + unit) * Depth + k]);
  }
};
template <class T>
struct add_number {
  const T* from;
  T* to;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const { to[index] += from[index]; }
};

// Units of a block, and the threads that share its rows.
inline constexpr int stage_units = 32, stage_groups = 4;

template <class Stage, class T, class W, int Rows>  // of a thread
struct stage_block {
  static constexpr int threads = stage_units * stage_groups, rows_together = Rows * stage_groups;
  static constexpr int chunk = 32;  // terms of the sums at a time
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, rows_together * chunk> x;
  };
  static constexpr int width = Stage::body.width, sums = Stage::stage.sums;
  static constexpr int products = Stage::stage.products.size;
  static constexpr int load_count = Stage::body.loads.size, store_count = Stage::body.stores.size;

  std::ptrdiff_t all_rows;  // of all steps
  int rows;
  stage_rows<T, W> x[products];
  const T* packed;
  operand<const T> loads[load_count + 1];
  operand<T> stores[store_count + 1];

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t first = std::ptrdiff_t(thread.block.x) * rows_together;
    const int unit = thread.block.y * stage_units + thread.index % stage_units;
    const int group = thread.index / stage_units;
    T sum[Rows][sums]{};
    each<load_count>([&](auto l) {
      constexpr int of = Stage::body.loads[l].sum, begin = Stage::body.loads[l].packed;
      if constexpr (of >= 0 && begin >= 0)
        if (unit < width) {
          TENON_UNROLL for (int i = 0; i < Rows; ++i) sum[i][of] = packed[begin * width + unit];
        }
    });
    each<products>([&](auto p) { add_product<p>(thread, first, unit, group, sum); });
    if (unit >= width) return;
    TENON_UNROLL for (int i = 0; i < Rows; ++i) {
      const std::ptrdiff_t row = first + group * Rows + i;
      if (row < all_rows) finish(row / rows, row % rows, unit, sum[i]);
    }
  }

 private:
  template <int P, class Thread>
  TENON_KERNEL void add_product(Thread& thread, std::ptrdiff_t first, int unit, int group,
                                T (&sum)[Rows][sums]) const {
    constexpr int depth = Stage::stage.products[P].depth, columns = Stage::stage.products[P].columns.size;
    for (int k = 0; k < depth; k += chunk) {
      for (int e = thread.index; e < rows_together * chunk; e += threads) {
        const auto [r, j] = thrust_detail::row_of(e, chunk);
        const std::ptrdiff_t row = first + r;
        T value = 0;
        if (row < all_rows && k + j < depth)
          value = x[P].data[row / rows * x[P].step + row % rows * x[P].row + k + j];
        thread.shared.x[e] = value;
      }
      thread.synchronise();
      const int end = depth - k < chunk ? depth - k : chunk;
      if (unit < width)
        for (int j = 0; j < end; ++j) {
          T value[Rows];
          TENON_UNROLL for (int i = 0; i < Rows; ++i) {
            value[i] = thread.shared.x[(group * Rows + i) * chunk + j];
          }
          const W* const weights = x[P].packed + std::ptrdiff_t(k + j) * columns * width + unit;
          each<columns>([&](auto c) {
            constexpr int of = Stage::stage.products[P].sums[c];
            const T weight = weights[c * width];
            TENON_UNROLL for (int i = 0; i < Rows; ++i) sum[i][of] += value[i] * weight;
          });
        }
      thread.synchronise();
    }
  }
  // The map, of one unit of one row.
  TENON_KERNEL void finish(std::ptrdiff_t t, std::ptrdiff_t r, int unit, const T* sum) const {
    T loaded[load_count + 1], local[Stage::body.code.size + 1];
    each<load_count>([&](auto l) {
      constexpr int of = Stage::body.loads[l].sum, vector = Stage::body.loads[l].packed;
      constexpr bool broadcast = Stage::body.loads[l].broadcast;
      if constexpr (of >= 0) loaded[l] = sum[of];
      else if constexpr (vector >= 0) loaded[l] = packed[vector * width + unit];
      else loaded[l] = loads[l].data[t * loads[l].step + r * loads[l].row + (broadcast ? 0 : unit)];
    });
    evaluate<Stage>(loaded, local);
    each<store_count>([&](auto s) {
      constexpr map_store store = Stage::body.stores[s];
      static_assert(store.reduction == op::copy && !store.accumulates());
      stores[s].data[t * stores[s].step + r * stores[s].row + unit] = local[store.local];
    });
  }
  template <int Count, class F>
  TENON_KERNEL static void each(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
    (std::make_integer_sequence<int, Count>{});
  }
};

template <int Rows, class Stage, class T, class W>
void run_stage(int steps, int rows, const stage_rows<T, W>* x, const T* packed, const operand<const T>* loads,
               const operand<T>* stores) {
  using kernel = stage_block<Stage, T, W, Rows>;
  kernel one{};
  one.all_rows = std::ptrdiff_t(steps) * rows, one.rows = rows, one.packed = packed;
  for (int p = 0; p < kernel::products; ++p) one.x[p] = x[p];
  for (int l = 0; l < kernel::load_count; ++l) one.loads[l] = loads[l];
  for (int s = 0; s < kernel::store_count; ++s) one.stores[s] = stores[s];
  launch(one, {blocks_for(one.all_rows, kernel::rows_together), blocks_for(kernel::width, stage_units)},
         "stage");
}

}  // namespace cuda_detail

template <int Width, int Depth>
constexpr int packed_stage_size(cuda, const stage_view&, const stage_product& product) {
  return product.columns.size * Width * Depth;
}
struct no_layout {};
template <int Width, class T>
constexpr no_layout layout_of_stage(cuda, const stage_view&, const stage_product&) {
  return {};
}
template <int Width, int Depth, class T, class W>
void pack_stage(cuda, no_layout, const stage_product& product, const T* w, W* packed) {
  thrust_detail::for_each_index(
      std::ptrdiff_t(product.columns.size) * Width * Depth,
      cuda_detail::pack_weight<Width, Depth, T, W>{cuda_detail::columns_of(product), w, packed});
}
template <int Width>
constexpr int packed_vectors_size(cuda, int count) {
  return Width * count;
}
template <int Width, class T>
void add_stage_vector(cuda, int, int number, const T* b, T* packed) {
  thrust_detail::for_each_index(Width,
                                cuda_detail::add_number<T>{b, packed + std::ptrdiff_t(number) * Width});
}

// A row is a thread's where there are few, so that there are many blocks; else four share each weight that is read.
template <class Stage, class T, class W>
void stage(cuda, int steps, int rows, const stage_rows<T, W>* x, const T* packed,
           const operand<const T>* loads, const operand<T>* stores, bool /*backwards*/) {
  using named = typename thrust_detail::named_by_words<Stage>::type;
  if (std::ptrdiff_t(steps) * rows <= 4 * cuda_detail::stage_groups)
    cuda_detail::run_stage<1, named>(steps, rows, x, packed, loads, stores);
  else cuda_detail::run_stage<4, named>(steps, rows, x, packed, loads, stores);
}

}  // namespace tenon::backend::inline TENON_DEVICE
