// Stages in the emulation of blocks and threads: products and their map in one kernel, against the reference that runs them one after
// the other in double.
#include "support/check_stage.hpp"
#include "tenon/backend/cuda/cuda.hpp"

namespace tenon::test {

template <class Equations, class T = float>
void check_cuda_stage() {
  for (int rows : {1, 3, 17})
    for (int gap : {0, 3}) check_stage<Equations, T, backend::cuda>(1, rows, gap);
  check_stage<Equations, T, backend::cuda>(3, 7, 2);
}
TEST_CASE("an LSTM") {
  check_cuda_stage<cell_step<nn::cells::lstm, 3, 7>>();
  check_cuda_stage<
      cell_step<nn::cells::lstm, 33, 40>>();  // more than a chunk of terms, more than a block of units
}
TEST_CASE("a training step stores what it keeps") {
  check_cuda_stage<training_step<nn::cells::lstm, 5, 17>>();
}
TEST_CASE("other cells") {
  check_cuda_stage<cell_step<nn::cells::gru, 5, 9>, double>();
  check_cuda_stage<layer<17, 16>>();
}
TEST_CASE("weights in 16 bits") {
  using in_16_bits = backend::cuda_with<backend::bfloat16_weights>;
  for (int rows : {3, 17}) {
    check_stage<cell_step<nn::cells::lstm, 5, 33>, float, in_16_bits>(1, rows, 3);
    check_stage<layer<17, 15>, float, in_16_bits>(1, rows, 0);  // an odd number of them
  }
}

TEST_CASE("vectors of parameters are packed at once") {
  constexpr int width = 5, numbers = 3, count = 35;  // more vectors than one kernel packs
  std::vector<float> from(count * width), packed(width * numbers, 7.0f), expected(width * numbers);
  std::vector<backend::stage_vector<float>> vectors;
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = float(k % 17) - 8;
  for (int v = 0; v < count; ++v) {
    vectors.push_back({from.data() + v * width, v % 2});  // none is part of the last packed vector
    for (int j = 0; j < width; ++j)
      expected[std::size_t(v % 2 * width + j)] += from[std::size_t(v * width + j)];
  }
  pack_stage_vectors<width>(backend::cuda{}, numbers, count, vectors.data(), packed.data());
  CHECK(packed == expected);
}

}  // namespace tenon::test
