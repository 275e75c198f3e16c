// limit_classes: a network with room for more classes is the one that has only those that exist.
#include "tenon/parameters/limit_classes.hpp"

#include "tenon/decode/choose.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/parameters/initialize.hpp"
#include "tenon/train/optimizers/optimizer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

template <int Classes>
using tagger = graph<"tagger", input<"words", token<20>, steps<6>>,
                     node<"states", chain<embedding<20, 5>, gru<4>>, "words">,
                     node<"logits", linear<Classes>, "states">, output<"logits">>;
using some = tagger<5>;
using roomy = tagger<9>;

TEST_CASE("a training of fewer classes than there is room for is that of a network which has no more") {
  parameters<some> few(seed{1});
  parameters<roomy> many(seed{2});
  const auto copy = [&](const auto& from, const auto& to) {
    for (std::size_t k = 0; k < from.size(); ++k) to.data_handle()[k] = from.data_handle()[k];
  };
  copy(get<"states.0.weight">(few), get<"states.0.weight">(many));
  copy(get<"states.1.weight_ih_l0">(few), get<"states.1.weight_ih_l0">(many));
  copy(get<"states.1.weight_hh_l0">(few), get<"states.1.weight_hh_l0">(many));
  copy(get<"states.1.bias_ih_l0">(few), get<"states.1.bias_ih_l0">(many));
  copy(get<"states.1.bias_hh_l0">(few), get<"states.1.bias_hh_l0">(many));
  copy(get<"logits.weight">(few), get<"logits.weight">(many));  // the first rows
  copy(get<"logits.bias">(few), get<"logits.bias">(many));
  limit_classes<"logits.bias">(many, 5u);

  const std::vector<std::vector<int>> words{{1, 2, 3, 4}, {7, 19}}, tags{{0, 1, 2, 4}, {3, 3}};
  const auto train = [&]<class G>(parameters<G>& theta) {
    differentiation<G, losses::cross_entropy<"logits">, batch<2>> learn;
    optimizer<optimizers::adamw, G> update({.learning_rate = 0.05, .weight_decay = 0.1});
    set_input<"words">(learn, words);
    set_input<"target">(learn, tags);
    std::vector<float> losses;
    for (int step = 0; step < 30; ++step) {
      parameters<G> gradients(zeros{});
      losses.push_back(learn.forward(theta));
      learn.backward(theta, gradients);
      const auto bias = get<"logits.bias">(gradients);
      for (std::size_t k = 5; k < bias.size(); ++k) CHECK(bias(k) == 0);
      update.update(theta, gradients);
    }
    return losses;
  };
  const auto expected = train(few), got = train(many);
  for (std::size_t step = 0; step < 30; ++step)
    CHECK(got[step] == doctest::Approx(expected[step]).epsilon(1e-4));
  CHECK(got.back() < 0.2f * got.front());

  inference<roomy, batch<2>> model(many);
  const auto logits = model(words);
  for (int t = 0; t < 4; ++t) CHECK(argmax(logits[0][t]) == tags[0][static_cast<std::size_t>(t)]);
  CHECK(softmax(logits[1][0])[7] == 0);
}

TEST_CASE("numbers of classes that there cannot be") {
  parameters<roomy> theta(seed{1});
  CHECK_THROWS_WITH_AS(limit_classes<"logits.bias">(theta, 10),
                       "limit_classes: expected from 1 to 9 classes, as 'logits.bias' has, got 10",
                       input_error);
  CHECK_THROWS_AS(limit_classes<"logits.bias">(theta, 0), input_error);
  limit_classes<"logits.bias">(theta, 9);
  CHECK(get<"logits.bias">(theta)(8) > -1);
  limit_classes<"logits.bias">(theta, 5);
  limit_classes<"logits.bias">(theta, 3);  // fewer, or as many again
  limit_classes<"logits.bias">(theta, 3);
  CHECK_THROWS_WITH_AS(limit_classes<"logits.bias">(theta, 5),
                       "limit_classes: 'logits.bias' has been limited to fewer than 5 classes", input_error);
  initialize(theta, "logits.bias", init::constant(0));
  limit_classes<"logits.bias">(theta, 5);
  CHECK(get<"logits.bias">(theta)(4) == 0);
}

}  // namespace tenon::test
