// Networks over two time axes train in shards as in one piece, and with the same bits for any number of threads.
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

struct attending : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto found = sum<"source">(softmax<"source">(dot(U<"a", 4>(s), W<"a", 4>(memory))) * memory);
    return tanh(W<"y">(y) + V<"c">(found) + b<"h">);
  }
};
using model =
    graph<"model", input<"words", token<6>, steps<5, "source">>,
          input<"written", token<6>, steps<4, "target">>, node<"read", embedding<6, 4>, "words">,
          node<"memory", transformer_encoder<4, 2, 5>, "read">, node<"before", embedding<6, 4>, "written">,
          node<"decoded", recurrent<attending, hidden<4>>, "before", "memory">,
          node<"again", multi_head<4, 2>, "decoded", "memory">, node<"logits", linear<6>, "again">,
          output<"logits">>;
using loss =
    losses::cross_entropy<"logits", "target", losses::ignored<0>,
                          losses::class_weights<1, 2, 1, 1, 3, 0.5>>;  // counted over all shards together

template <class Trainer>
float step(Trainer& learner, int number) {
  std::vector<std::vector<int>> words(6), written(6), target(6);
  for (int r = 0; r < 6; ++r) {
    for (int t = 0; t < (number + 2 * r) % 6; ++t) words[std::size_t(r)].push_back((r + t * number) % 6);
    for (int t = 0; t < 1 + (number + r) % 4; ++t) {
      written[std::size_t(r)].push_back((r * t + number) % 6);
      target[std::size_t(r)].push_back((r + t) % 6);
    }
  }
  set_input<"words">(learner, words);
  set_input<"written">(learner, written);
  set_input<"target">(learner, target);
  return learner.step();
}

TEST_CASE("as in one piece, and to the same bits") {
  parameters<model> whole_theta(seed{1}), theta(seed{1}), shared_theta(seed{1});
  trainer<model, loss, optimizers::adam, batch<6>> whole(whole_theta, {.learning_rate = 0.01f});
  trainer<model, loss, optimizers::adam, batch<6>, shards<3>> alone(theta, {.learning_rate = 0.01f}, {},
                                                                    threads{1});
  trainer<model, loss, optimizers::adam, batch<6>, shards<3>> shared(shared_theta, {.learning_rate = 0.01f},
                                                                     {}, threads{2});
  for (int number = 0; number < 5; ++number) {
    const float expected = step(whole, number), got = step(alone, number);
    CHECK(std::abs(expected - got) <= 1e-5f);
    CHECK(step(shared, number) == got);
    for (int k = 0; k < theta.block_size; ++k)
      REQUIRE(std::abs(alone.gradients().data()[k] - whole.gradients().data()[k]) <= 1e-5f);
  }
  const auto block = [](const auto& of) { return std::as_const(of).data(); };
  CHECK(std::memcmp(block(theta), block(shared_theta), sizeof(float) * std::size_t(theta.block_size)) == 0);
}

}  // namespace tenon::test
