// Trainings with and without captured steps: their bits are equal.
#pragma once

#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {

using namespace nn;

using tagger = graph<"tagger", input<"words", token<9>, steps<5>>,
                     node<"e", chain<embedding<9, 4>, nn::dropout<0.25>>, "words">,
                     node<"s", lstm<3, bidirectional>, "e">, node<"tags", linear<3>, "s">, output<"tags">>;

struct batch_of_words {
  std::vector<std::vector<int>> words, tags;
};
// Batch n: at most `rows` rows, of at most `longest` steps, and some steps without a target.
inline batch_of_words batch_number(int n, int rows, int longest) {
  batch_of_words b;
  for (int r = 0; r < rows; ++r) {
    const int length = r == n % rows ? longest : 1 + (n + 2 * r) % longest;
    b.words.emplace_back();
    b.tags.emplace_back();
    for (int t = 0; t < length; ++t) {
      b.words.back().push_back((5 * n + 3 * r + t * t) % 9);
      b.tags.back().push_back((n + r + t) % 4 - 1);
    }
  }
  return b;
}
struct trained {
  std::vector<double> losses;
  std::vector<float> parameters;
  bool operator==(const trained&) const = default;
};
// Steps on batches of several shapes, each shape several times; `change` is called with the trainer before each step.
template <class Backend, class Objective, class... Options, class Change>
trained train(Change change) {
  parameters<tagger> theta(seed{1});
  trainer<tagger, Objective, optimizers::adam, batch<4>, on<Backend>, Options...> learner(
      theta, {.learning_rate = 0.1}, seed{3});
  trained result;
  for (int n = 0; n < 14; ++n) {
    const auto [words, tags] = batch_number(n, n % 5 == 4 ? 2 : 4, n % 3 == 0 ? 5 : 3);
    set_input<"words">(learner, words);
    set_input<"target">(learner, tags);
    change(learner, n);
    result.losses.push_back(learner.step());
  }
  result.parameters.assign(theta.data(), theta.data() + theta.block_size);
  if constexpr (sizeof...(Options) > 0) CHECK(learner.captured_shapes() >= 2);
  return result;
}
template <class Backend>
void check_steps(auto change) {
  const trained expected = train<Backend, losses::cross_entropy<"tags">>(change);
  const trained got = train<Backend, losses::cross_entropy<"tags">, captured>(change);
  CHECK(got.losses == expected.losses);
  CHECK(got.parameters == expected.parameters);
  for (std::size_t n = 1; n < got.losses.size(); ++n) CHECK(got.losses[n] != got.losses[n - 1]);
}
inline constexpr auto nothing = [](auto&, int) {};

}  // namespace tenon::test
