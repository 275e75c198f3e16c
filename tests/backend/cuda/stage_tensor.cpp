// Stages of many rows on tensor cores, in the emulation of blocks and threads: tiles that rows, units and terms do not fill, against the
// reference in double.
#include "support/check_stage.hpp"
#include "tenon/backend/cuda/cuda.hpp"

namespace tenon::inline v0_1::backend {

// Runs all stages on tensor cores, even with few rows.
struct on_tensor_cores : cuda {};
template <class Stage>
void stage(on_tensor_cores, int steps, int rows, const stage_rows<float, float>* x, const float* packed,
           const operand<const float>* loads, const operand<float>* stores, bool) {
  using named = typename thrust_detail::named_by_words<Stage>::type;
  using tile = cuda_detail::stage_tensor<named>;
  constexpr int columns = (tile::width + 15) / 16, enough = (256 + columns - 1) / columns;
  static_assert(tile::fits && tile::fills(128 * enough) && !tile::fills(128 * (enough - 1)));
  CHECK(tile::reads(x));
  cuda_detail::run_stage_on_tensor_cores<named>(steps, rows, x, packed, loads, stores);
}

}  // namespace tenon::inline v0_1::backend

namespace tenon::test {

TEST_CASE("many rows, on tensor cores") {
  using tiled = backend::on_tensor_cores;
  for (int rows : {1, 130}) check_stage<cell_step<nn::cells::lstm, 8, 20>, float, tiled>(1, rows, 4);
  check_stage<cell_step<nn::cells::lstm, 36, 40>, float, tiled>(3, 51, 0);  // rows of several steps in a tile
  check_stage<training_step<nn::cells::lstm, 4, 20>, float, tiled>(1, 70, 0);
  check_stage<cell_step<nn::cells::gru, 4, 12>, float, tiled>(2, 67, 4);
  check_stage<layer<20, 16>, float, tiled>(1, 66, 4);
}

}  // namespace tenon::test
