// The index arithmetic of a tiled product: plain functions, which tests call on a CPU.
#pragma once

#include "tenon/backend/thrust/system.hpp"
#include "tenon/meta/host_device.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail {

// A block computes Rows x Columns numbers of a product, Depth terms of their sums at a time; a thread computes ThreadRows x ThreadColumns.
template <int Rows, int Columns, int Depth, int ThreadRows, int ThreadColumns>
struct tile_shape {
  static_assert(Rows % ThreadRows == 0 && Columns % ThreadColumns == 0);
  static constexpr int rows = Rows, columns = Columns, depth = Depth;
  static constexpr int thread_rows = ThreadRows, thread_columns = ThreadColumns;
  static constexpr int threads_along = Columns / ThreadColumns;
  static constexpr int threads = Rows / ThreadRows * threads_along;

  // Where a thread's rows begin, and its columns: in groups of four, so that neighbouring threads read neighbouring groups.
  static constexpr int group = ThreadColumns < 4 ? ThreadColumns : 4;
  TENON_HOST_DEVICE static constexpr int first_row(int thread) { return thread / threads_along * ThreadRows; }
  TENON_HOST_DEVICE static constexpr int column(int thread, int j) {
    return (j / group * threads_along + thread % threads_along) * group + j % group;
  }
};
using large_tile = tile_shape<128, 64, 8, 8, 4>;  // few reads of shared memory for each product
using wide_tile = tile_shape<64, 64, 16, 4, 4>;
using small_tile = tile_shape<16, 32, 16, 2, 2>;  // many blocks even if batch and state are small

// Enough blocks to keep the multiprocessors of a large card busy; and how many tiles hold `count` items.
inline constexpr int enough_blocks = 128;
TENON_HOST_DEVICE constexpr int tiles_for(std::ptrdiff_t count, int tile) {
  return static_cast<int>((count + tile - 1) / tile);
}
template <class Tile>
constexpr bool has_tiles(std::ptrdiff_t rows, int columns, int count) {
  return std::ptrdiff_t(tiles_for(rows, Tile::rows)) * tiles_for(columns, Tile::columns) >= count;
}
constexpr bool uses_large_tiles(std::ptrdiff_t rows, int columns) {
  return has_tiles<large_tile>(rows, columns, enough_blocks);
}
constexpr bool uses_wide_tiles(std::ptrdiff_t rows, int columns) {
  return has_tiles<wide_tile>(rows, columns, enough_blocks / 2);
}

// A gradient sums over the rows of a batch, and may itself have only a few tiles: then separate blocks sum parts of the rows, and the
// parts are added up in their order.
inline constexpr int least_rows_of_part = 64, most_parts = 16;
constexpr int most_parts_for(int rows, int columns) {
  const bool is_wide = rows >= wide_tile::rows && columns >= wide_tile::columns;
  const int tiles = is_wide ? tiles_for(rows, wide_tile::rows) * tiles_for(columns, wide_tile::columns)
                            : tiles_for(rows, small_tile::rows) * tiles_for(columns, small_tile::columns);
  const int parts = (is_wide ? 2 : 1) * enough_blocks / tiles;
  return parts < 1 ? 1 : parts < most_parts ? parts : most_parts;
}
constexpr int parts_for(int rows, int columns, int depth) {
  const int most = most_parts_for(rows, columns), whole = depth / least_rows_of_part;
  return whole < 1 ? 1 : whole < most ? whole : most;
}
// The terms of a part. The last part may have fewer, but never none.
constexpr int terms_of_part(int depth, int parts) { return (depth + parts - 1) / parts; }

// The place in a tile of the e-th number that the threads fetch side by side: across the sum and along it. AlongDepth: memory runs along
// the sum.
struct tile_place {
  int across, along;
};
template <int Across, int Depth, bool AlongDepth>
TENON_HOST_DEVICE constexpr tile_place place_in_tile(int e) {
  return AlongDepth ? tile_place{e / Depth, e % Depth} : tile_place{e % Across, e / Across};
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::cuda_detail
