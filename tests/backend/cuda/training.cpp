// A short training on the CUDA backend, with kernels in the emulation of blocks and threads: losses and parameters equal the CPU's.
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/train/optimizers/optimizer.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
using namespace nn;

using classifier =
    graph<"classifier", input<"tokens", token<9>, steps<5>>, node<"e", embedding<9, 4>, "tokens">,
          node<"s", lstm<6>, "e">, node<"y", linear<3>, "s.final">, output<"y">>;

template <class Backend>
std::vector<double> trained() {
  parameters<classifier> theta(seed{1});
  trainer<classifier, losses::cross_entropy<"y">, optimizers::adam, batch<4>, on<Backend>> learner(theta);
  std::vector<double> all;
  for (int step = 0; step < 3; ++step) {
    std::vector<std::vector<int>> tokens(4);
    std::vector<int> targets;
    for (int r = 0; r < 4; ++r) {
      for (int t = 0; t < 2 + r; ++t) tokens[std::size_t(r)].push_back((r * r + 3 * t + step) % 9);
      targets.push_back((r + step) % 3);
    }
    set_input<"tokens">(learner, tokens);
    set_input<"target">(learner, targets);
    all.push_back(learner.step());
  }
  all.insert(all.end(), theta.data(), theta.data() + theta.block_size);
  return all;
}
TEST_CASE("three steps of a training") {
  const std::vector<double> expected = trained<backend::reference>(), got = trained<backend::cuda>();
  REQUIRE(expected.size() == got.size());
  for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-4));
  CHECK(got == trained<backend::cuda>());
}

}  // namespace tenon::test
