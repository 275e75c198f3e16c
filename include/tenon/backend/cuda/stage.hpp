// stage: products and the only map that reads them, in one kernel: in a recurrent layer, a step's product with its state, and its gates.
// The sums of a unit stay in the registers of the thread that computes it, and the map's results go to memory once.
#pragma once

#include "tenon/backend/cuda/launch.hpp"
#include "tenon/backend/cuda/several.hpp"
#include "tenon/backend/cuda/stage_tensor.hpp"
#include "tenon/backend/cuda/stage_tile.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/program/encoding.hpp"

#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

// A stage of few rows reads all weights of a unit once for every few rows, without a tile. With many weights a product in tiles reads
// memory less often. Kernels that run on all steps at once have enough rows for tiles.
constexpr stage_limits limits_of_stages(cuda, int) { return {.sums = 16, .weights = 4096}; }
constexpr stage_limits limits_of_stages_of_steps(cuda, int, int) { return {}; }

namespace cuda_detail {

// Where the columns of a product begin in its matrix, as an argument for a thread.
struct first_columns {
  int count = 0, of[max_stage_sums]{};
};
constexpr first_columns columns_of(const stage_product& product) {
  first_columns all;
  for (int c : product.columns) all.of[all.count++] = c;
  return all;
}
// packed[k, c, unit] = w[columns[c] + unit, k]: threads of neighbouring units read neighbouring weights. W: the type of stored weights.
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
// Number `unit` of packed vector n is the sum of the vectors that are part of vector n, in their order.
inline constexpr int vectors_together = 32;
template <int Width, class T>
struct pack_vectors {
  int count;
  stage_vector<T> vectors[vectors_together];
  T* packed;
  bool adds;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    const auto [number, unit] = thrust_detail::row_of(index, Width);
    T sum = adds ? packed[index] : T(0);
    for (int v = 0; v < count; ++v)
      if (vectors[v].number == number) sum += vectors[v].from[unit];
    packed[index] = sum;
  }
};

// The products and the map of some rows and units. Eight lanes of a warp have different units; the four lanes with the same units, and the
// warps of a group of rows, share the terms of their sums. Rows: the rows of a group.
template <class Stage, class T, class W, int Rows, int Groups>
struct stage_block {
  static constexpr int width = Stage::body.width, sums = Stage::stage.sums;
  static constexpr int products = Stage::stage.products.size;
  static constexpr int threads = 256, warps = threads / warp_size, slices = warps / Groups;
  static constexpr int units = width % 2 == 0 ? 2 : 1, units_together = 8 * units;  // of a lane, of a block
  static constexpr int rows_together = Rows * Groups, items = rows_together * units_together;
  using sums_of_warp = sums_of_lanes<Rows, units * sums>;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<T, slices * items * sums> sums_of_slices;
  };

  std::ptrdiff_t all_rows;  // of all steps
  stage_rows<T, W> x[products];
  bool in_fours[products];  // rows of x can be read four numbers at once
  stage_map<Stage, T> map;

  template <class Thread>
  TENON_KERNEL void operator()(Thread& thread) const {
    const std::ptrdiff_t first = std::ptrdiff_t(thread.block.x) * rows_together;
    const int first_unit = thread.block.y * units_together;
    const int lane = thread.index % warp_size, warp = thread.index / warp_size;
    const int group = warp / slices, slice = warp % slices, own = lane % 8 * units;
    T sum[Rows][units * sums]{};
    if (first_unit + own < width && first + group * Rows < all_rows)
      each_number<products>(
          [&](auto p) { add_product<p>(first + group * Rows, first_unit + own, slice * 4 + lane / 8, sum); });
    sums_of_warp::add(thread, sum);
    TENON_UNROLL for (int i = 0; i < sums_of_warp::rows; ++i) {
      TENON_UNROLL for (int u = 0; u < units; ++u) {
        const int item = (group * Rows + sums_of_warp::first_row(lane) + i) * units_together + own + u;
        TENON_UNROLL for (int s = 0; s < sums; ++s) {
          if (sums_of_warp::keeps(lane))
            thread.shared.sums_of_slices[place_of_sum(slice, s, item)] = sum[i][u * sums + s];
        }
      }
    }
    thread.synchronise();
    for (int item = thread.index; item < items; item += threads) {
      const std::ptrdiff_t row = first + item / units_together;
      const int unit = first_unit + item % units_together;
      if (row < all_rows && unit < width) finish(thread, row, unit, item);
    }
  }

 private:
  TENON_HOST_DEVICE static constexpr int place_of_sum(int slice, int s, int item) {
    return (slice * sums + s) * items + item;
  }
  // A missing row reads the last row again; its sums are not used.
  template <int P>
  TENON_KERNEL void add_product(std::ptrdiff_t first, int unit, int part,
                                T (&sum)[Rows][units * sums]) const {
    constexpr int depth = Stage::stage.products[P].depth, columns = Stage::stage.products[P].columns.size;
    constexpr int terms = depth % 4 == 0 ? 4 : 1;
    const T* from[Rows];
    TENON_UNROLL for (int i = 0; i < Rows; ++i) {
      const std::ptrdiff_t row = first + i < all_rows ? first + i : all_rows - 1;
      from[i] = x[P].data + map.place(row, x[P].step, x[P].row);
    }
    for (int k = part * terms; k < depth; k += 4 * slices * terms) {
      several<W, units> weights[terms][columns];
      several<T, terms> value[Rows];
      TENON_UNROLL for (int j = 0; j < terms; ++j) {
        TENON_UNROLL for (int c = 0; c < columns; ++c) {
          weights[j][c] =
              several_at<units>(x[P].packed + (std::ptrdiff_t(k + j) * columns + c) * width + unit);
        }
      }
      TENON_UNROLL for (int i = 0; i < Rows; ++i) {
        if (in_fours[P]) value[i] = several_at<terms>(from[i] + k);
        else
          for (int j = 0; j < terms; ++j) value[i].numbers[j] = from[i][k + j];
      }
      TENON_UNROLL for (int j = 0; j < terms; ++j) {
        each_number<columns>([&](auto c) {
          constexpr int of = Stage::stage.products[P].sums[c];
          TENON_UNROLL for (int u = 0; u < units; ++u) {
            const T weight = weights[j][c].numbers[u];
            TENON_UNROLL for (int i = 0; i < Rows; ++i) sum[i][u * sums + of] += value[i].numbers[j] * weight;
          }
        });
      }
    }
  }
  template <class Thread>
  TENON_KERNEL void finish(Thread& thread, std::ptrdiff_t row, int unit, int item) const {
    T sum[sums]{};
    TENON_UNROLL for (int s = 0; s < sums; ++s) {
      TENON_UNROLL for (int slice = 0; slice < slices; ++slice) {
        sum[s] += thread.shared.sums_of_slices[place_of_sum(slice, s, item)];
      }
    }
    map.finish(row, unit, sum);
  }
};

template <int Rows, int Groups, class Stage, class T, class W>
void run_stage(int steps, int rows, const stage_rows<T, W>* x, const T* packed, const operand<const T>* loads,
               const operand<T>* stores) {
  using kernel = stage_block<Stage, T, W, Rows, Groups>;
  kernel one{};
  one.all_rows = std::ptrdiff_t(steps) * rows;
  one.map = map_of_stage<Stage>(rows, packed, loads, stores);
  for (int p = 0; p < kernel::products; ++p) {
    one.x[p] = x[p];
    one.in_fours[p] = can_read<4>(x[p].data, x[p].row) && x[p].step % 4 == 0;
  }
  launch(one,
         {blocks_for(one.all_rows, kernel::rows_together), blocks_for(kernel::width, kernel::units_together)},
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
void pack_stage_vectors(cuda, int packed_count, int count, const stage_vector<T>* vectors, T* packed) {
  constexpr int together = cuda_detail::vectors_together;
  for (int first = 0; first == 0 || first < count; first += together) {
    cuda_detail::pack_vectors<Width, T> all{
        count - first < together ? count - first : together, {}, packed, first > 0};
    for (int v = 0; v < all.count; ++v) all.vectors[v] = vectors[first + v];
    thrust_detail::for_each_index(std::ptrdiff_t(Width) * packed_count, all);
  }
}

// With at most four sums, and enough rows for a block on each multiprocessor, a stage runs on tensor cores or in tiles. Otherwise a group has two rows if
// there are no more, or as many rows as fit with their sums in a thread's registers.
template <class Stage, class T, class W>
void stage(cuda, int steps, int rows, const stage_rows<T, W>* x, const T* packed,
           const operand<const T>* loads, const operand<T>* stores, bool /*backwards*/) {
  using named = typename thrust_detail::named_by_words<Stage>::type;
  constexpr int most = Stage::stage.sums <= 4 ? 8 : 4;
  const std::ptrdiff_t all_rows = std::ptrdiff_t(steps) * rows;
  if constexpr (std::is_same_v<T, float> && std::is_same_v<W, float>)
    if constexpr (cuda_detail::stage_tensor<named>::fits)
      if (cuda_detail::suits_tensor_cores<named>(all_rows, x))
        return cuda_detail::run_stage_on_tensor_cores<named>(steps, rows, x, packed, loads, stores);
  if constexpr (cuda_detail::stage_tile<named, T, W>::fits)
    if (cuda_detail::stage_tile<named, T, W>::fills(all_rows))
      return cuda_detail::run_stage_in_tiles<named>(steps, rows, x, packed, loads, stores);
  if (all_rows <= 2) cuda_detail::run_stage<2, 1, named>(steps, rows, x, packed, loads, stores);
  else cuda_detail::run_stage<most, 2, named>(steps, rows, x, packed, loads, stores);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
