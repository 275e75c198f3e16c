// CUDA graphs on a GPU: captured training and inference give the same bits as training and inference without capture.
#include "backend/cuda/captured.hpp"
#include "tenon/backend/cuda/cuda.hpp"

namespace tenon::test {

TEST_CASE("steps of a training, captured on a GPU") {
  check_steps<backend::thrust_device>(nothing);
  check_steps<backend::cuda>([](auto& learner, int n) {
    learner.optimizer().learning_rate = 0.1 / (1 + n);
    learner.max_norm = n % 2 == 0 ? 0.25 : 0;
  });
}
TEST_CASE("inference, captured on a GPU, in streams of the caller's") {
  const parameters<tagger> theta(seed{2});
  inference<tagger, batch<4>, on<backend::cuda>> ordinary(theta);
  inference<tagger, batch<4>, on<backend::cuda>, captured> as_one(theta);
  cudaStream_t side{};
  REQUIRE(cudaStreamCreate(&side) == cudaSuccess);
  for (int n = 0; n < 9; ++n) {
    const auto words = batch_number(n, 4, n % 2 == 0 ? 5 : 3).words;
    const auto expected = ordinary(words);
    {
      const backend::on_stream here(n % 3 == 0 ? side : nullptr);
      set_input<"words">(as_one, words);
      as_one.run();
    }
    const auto got = get<"tags">(as_one);
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t t = 0; t < words[r].size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) CHECK(got(r, t, k) == expected(r, t, k));
  }
  CHECK(as_one.captured_shapes() == 2);
  cudaStreamDestroy(side);
}

}  // namespace tenon::test
