// Data that are drawn anew in each epoch: beside the same epochs by hand, interrupted, and wrong.
#include "tenon/data/each_epoch.hpp"

#include "support/temporary_file.hpp"
#include "tenon/data/contiguous.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/loop/fit.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

namespace {

using line = graph<"line", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
using fitting = trainer<line, losses::mse<"y">, optimizers::sgd, batch<4>>;

// 5 + epoch points with another noise in each epoch.
auto points(int epoch) {
  std::vector<float> x, y;
  backend::random_stream random(3, static_cast<std::uint64_t>(epoch));
  for (int k = 0; k < 5 + epoch; ++k) {
    x.push_back(static_cast<float>(k) / 4);
    y.push_back(2 * x.back() + static_cast<float>(random.uniform()));
  }
  return data_set(column<"x">(x), column<"target">(y));
}
std::vector<float> numbers(const parameters<line>& theta) {
  return {theta.data(), theta.data() + theta.block_size};
}

struct interruption : std::runtime_error {
  interruption() : std::runtime_error("interrupted") {}
};

}  // namespace

TEST_CASE("fit trains on the data of each epoch") {
  parameters<line> theta(seed{1}), by_hand(seed{1});
  fitting train(theta, {.learning_rate = 0.05}), other(by_hand, {.learning_rate = 0.05});
  std::vector<int> asked;
  const auto history = fit(train, each_epoch([&](int epoch) {
                             asked.push_back(epoch);
                             return points(epoch);
                           }),
                           {.epochs = 3, .shuffle = seed{9}, .log = nullptr});
  for (int epoch = 1; epoch <= 3; ++epoch) {
    const auto data = points(epoch);
    double total = 0;
    for_each_batch(shuffled(data.size(), seed{9}, epoch), 4, [&](std::span<const int> rows) {
      data.set_inputs(other, rows);
      total += static_cast<double>(other.step()) * static_cast<double>(rows.size());
    });
    CHECK(history.epochs[static_cast<std::size_t>(epoch - 1)].loss == doctest::Approx(total / data.size()));
  }
  CHECK(numbers(theta) == numbers(by_hand));
  CHECK(train.steps() == 2 + 2 + 2);
  CHECK(asked == std::vector{1, 2, 3});
}

TEST_CASE("a training that was interrupted within an epoch continues with that epoch's data") {
  temporary_folder folder;
  const std::string path = folder.path + "/line.safetensors";
  const auto run = [](const checkpoint& kept, int stopped) {
    parameters<line> theta(seed{1});
    fitting train(theta, {.learning_rate = 0.05});
    fit(train, each_epoch([&](int epoch) {
          if (epoch == stopped) throw interruption();
          return points(epoch);
        }),
        {.epochs = 5, .checkpoint = kept, .log = nullptr});
    return numbers(theta);
  };
  const std::vector<float> whole = run(checkpoint{.path = folder.path + "/whole.safetensors"}, 0);
  CHECK_THROWS_AS(run(checkpoint{.path = path, .every = 9, .steps = 3}, 4),
                  interruption);  // last saved within the second epoch
  CHECK(run(checkpoint{.path = path}, 0) == whole);
}

TEST_CASE("windows of a text may be drawn anew, too") {
  using letters = graph<"letters", input<"x", token<4>, steps<5>>,
                        node<"y", chain<embedding<4, 3>, linear<4>>, "x">, output<"y">>;
  parameters<letters> theta(seed{1}), by_hand(seed{1});
  trainer<letters, losses::cross_entropy<"y">, optimizers::adam, batch<2>> train(theta), other(by_hand);
  const auto text = [](int epoch) {
    std::vector<int> all;
    for (int k = 0; k < 61; ++k) all.push_back((k * epoch + k / 7) % 4);
    return contiguous<"x">(all);
  };
  fit(train, each_epoch(text), {.epochs = 2, .log = nullptr});
  for (int epoch = 1; epoch <= 2; ++epoch) {
    const auto data = text(epoch);
    data.start(other);
    for (int k = 0; k < data.windows(other); ++k) {
      data.set_window(other, k);
      other.step();
      data.carry(other);
    }
  }
  CHECK(std::vector<float>(theta.data(), theta.data() + theta.block_size) ==
        std::vector<float>(by_hand.data(), by_hand.data() + by_hand.block_size));
}

TEST_CASE("an epoch without rows, and one with a wrong row") {
  parameters<line> theta(seed{1});
  fitting train(theta);
  const auto nothing = [](int) {
    return data_set(column<"x">(std::vector<float>{}), column<"target">(std::vector<float>{}));
  };
  CHECK_THROWS_WITH_AS(fit(train, each_epoch(nothing), {.log = nullptr}), "fit: the data set is empty",
                       input_error);

  using words = graph<"words", input<"x", token<4>>, node<"y", embedding<4, 2>, "x">, output<"y">>;
  parameters<words> of_words(seed{1});
  trainer<words, losses::cross_entropy<"y">, optimizers::sgd, batch<2>> of(of_words);
  const auto wrong_in_the_second = [](int epoch) {
    return data_set(column<"x">(std::vector{0, epoch == 2 ? 7 : 3}), column<"target">(std::vector{0, 1}));
  };
  CHECK_THROWS_WITH_AS(fit(of, each_epoch(wrong_in_the_second), {.epochs = 2, .log = nullptr}),
                       doctest::Contains("column 'x', row 1: token 7"), input_error);
  CHECK(of.steps() == 1);  // of the first epoch
}
