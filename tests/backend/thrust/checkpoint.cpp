// A checkpoint contains the states of an optimiser in a device's memory: training continues from it with the same bits.
#include "tenon/train/checkpoints/checkpoint.hpp"

#include "backend/thrust/fenced.hpp"
#include "support/temporary_file.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
using namespace nn;

using line = graph<"line", input<"x", features<2>>, node<"y", linear<1>, "x">, output<"y">>;
using teacher = trainer<line, losses::mse<"y">, optimizers::adam, batch<2>, on<fenced>>;

std::vector<float> weights_after(teacher& learner, int steps) {
  for (int k = 0; k < steps; ++k) {
    set_input<"x">(learner, std::vector<float>{1, 2, 3, -4});
    set_input<"target">(learner, std::vector<float>{1, -2});
    learner.step();
  }
  const auto w = get<"y.weight">(learner.theta());
  return {w.begin(), w.end()};
}

TEST_CASE("training on a device goes on from a checkpoint to the bit") {
  const file_with file("");
  parameters<line> first(seed{1}), second(seed{2});
  teacher whole(first), resumed(second);
  weights_after(whole, 3);
  io::save_checkpoint(whole, file.path);
  const std::vector<float> expected = weights_after(whole, 3);
  io::load_checkpoint(resumed, file.path);
  CHECK(resumed.steps() == 3);
  CHECK(weights_after(resumed, 3) == expected);
}

}  // namespace tenon::test
