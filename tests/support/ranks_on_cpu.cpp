#include "backend/cuda/ranks.hpp"
#include "tenon/train/trainer/shards.hpp"

std::vector<float> tenon::test::learn_on_cpu() {
  parameters<ranked_model> theta(seed{1});
  ranked_training<> train(theta, {.learning_rate = 0.05f}, seed{3});
  return learn(train);
}
