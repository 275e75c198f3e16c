// Stages of many rows in the emulation of blocks and threads: tiles that rows, units and terms do not fill, against the reference in double.
#include "support/check_stage.hpp"
#include "tenon/backend/cuda/cuda.hpp"

namespace tenon::inline v0_1::backend {

// Runs all stages in tiles, even with few rows.
struct in_tiles : cuda {};
template <class Stage, class T, class W>
void stage(in_tiles, int steps, int rows, const stage_rows<T, W>* x, const T* packed,
           const operand<const T>* loads, const operand<T>* stores, bool) {
  using named = typename thrust_detail::named_by_words<Stage>::type;
  using tile = cuda_detail::stage_tile<named, T, W>;
  constexpr int columns = (tile::width + 15) / 16, enough = (128 + columns - 1) / columns;
  static_assert(tile::fits && tile::fills(64 * enough) && !tile::fills(64 * (enough - 1)));
  cuda_detail::run_stage_in_tiles<named>(steps, rows, x, packed, loads, stores);
}

}  // namespace tenon::inline v0_1::backend

namespace tenon::test {

TEST_CASE("many rows, in tiles") {
  using tiled = backend::in_tiles;
  for (int rows : {1, 63, 65, 130}) check_stage<cell_step<nn::cells::lstm, 5, 17>, float, tiled>(1, rows, 3);
  check_stage<cell_step<nn::cells::lstm, 33, 40>, float, tiled>(3, 30, 2);  // rows of several steps in a tile
  check_stage<training_step<nn::cells::lstm, 5, 17>, float, tiled>(1, 70, 0);
  check_stage<cell_step<nn::cells::gru, 5, 9>, double, tiled>(2, 35, 1);
  check_stage<layer<17, 16>, float, tiled>(1, 66, 2);
  check_stage<cell_step<nn::cells::lstm, 5, 33>, float,
              backend::device_with<tiled, backend::bfloat16_weights>>(1, 67, 3);
}

}  // namespace tenon::test
