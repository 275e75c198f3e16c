// The training of ranks.cu, which its ranks run on GPUs and one compares with a CPU.
#pragma once

#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace tenon::test {

using ranked_model = graph<"model", input<"x", features<4>>,
                           node<"logits", nn::chain<nn::linear<6>, nn::activation::tanh, nn::linear<3>>, "x">,
                           output<"logits">>;
// The second one computes what it counts.
using ranked_loss = losses::sum_of<losses::cross_entropy<"logits">,
                                   losses::cross_entropy<"logits", "other", losses::class_weights<1, 2, 3>>>;
template <class... Options>
using ranked_training = trainer<ranked_model, ranked_loss, optimizers::adam, batch<8>, shards<8>, Options...>;

// Losses of some steps, and what is learned.
std::vector<float> learn(auto& train) {
  train.max_norm = 0.5;
  std::vector<float> all;
  for (int step = 0; step < 12; ++step) {
    const int rows = step % 3 == 2 ? 5 : 8;
    std::vector<std::vector<float>> x;
    std::vector<int> target, other;
    for (int r = 0; r < rows; ++r) {
      x.push_back({std::sin(float(r)), std::cos(float(step % 3)), float(r % 2), 1.f});
      target.push_back(r % 3 - (r == 4 ? 1 : 0));
      other.push_back((r + step) % 3);
    }
    set_input<"x">(train, x);
    set_input<"target">(train, target);
    set_input<"other">(train, other);
    all.push_back(train.step());
  }
  const float* const theta = std::as_const(train.theta()).data();
  all.insert(all.end(), theta, theta + parameters<ranked_model>::block_size);
  return all;
}
std::vector<float> learn_on_cpu();

}  // namespace tenon::test
