// Rows for word vectors beside the text that they come from: contexts, drawn words, words left out, and a loss by hand.
#include "tenon/data/word_windows.hpp"

#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

namespace {

// Sentences of different words, so that a word tells its place: sentence s has the words 10 s, 10 s + 1, ..
std::vector<std::vector<int>> sentences_of(const std::vector<int>& lengths) {
  std::vector<std::vector<int>> all;
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    all.emplace_back();
    for (int k = 0; k < lengths[s]; ++k) all.back().push_back(static_cast<int>(10 * s) + k);
  }
  return all;
}
std::vector<int> context(const word_windows::epoch& of, int row) {
  std::vector<int> words;
  of.append_context(row, words);
  return words;
}
std::vector<int> candidates(const word_windows::epoch& of, int row) {
  std::vector<int> words;
  of.append_candidates(row, words);
  return words;
}
std::string refusal(const std::vector<std::vector<int>>& sentences, int words,
                    const word_window_options& options = {}) {
  try {
    word_windows{sentences, words, options};
  } catch (const input_error& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("a context is the words around a word, up to a drawn number, within the sentence") {
  const word_windows data(sentences_of({8, 1, 0, 2, 5}), 50, {.window = 3, .negatives = 2, .sample = 0});
  CHECK(data.words() == 16);
  std::set<int> rows;
  std::map<int, int> reaches;
  for (int number = 1; number <= 200; ++number) {
    const word_windows::epoch epoch = data.of_epoch(number);
    REQUIRE(epoch.size() == 15);  // the word that is alone has no context
    for (int row = 0; row < epoch.size(); ++row) {
      const int word = candidates(epoch, row)[0], sentence = word / 10, first = 10 * sentence;
      const int last = first + std::vector{8, 1, 0, 2, 5}[static_cast<std::size_t>(sentence)] - 1;
      rows.insert(word);
      const std::vector<int> found = context(epoch, row);
      int reach = 0;
      for (int other : found) reach = std::max(reach, std::abs(other - word));
      std::vector<int> expected;
      for (int other = word - reach; other <= word + reach; ++other)
        if (other != word && other >= first && other <= last) expected.push_back(other);
      CHECK(found == expected);
      CHECK((reach >= 1 && reach <= 3));
      if (word == 3 || word == 4) ++reaches[reach];  // three words on each side
    }
  }
  CHECK(rows.size() == 15);
  for (int reach : {1, 2, 3}) CHECK(std::abs(reaches[reach] - 400 / 3.0) < 5 * std::sqrt(400 * 2 / 9.0));
}

TEST_CASE("drawn words are others than the row's, by a power of their counts") {
  std::vector<std::vector<int>> sentences;
  for (int k = 0; k < 16; ++k) sentences.push_back({0, 0, 0, 0, 1});  // counts 64, 16, and 1 of word 2
  sentences.push_back({2, 1});
  for (double power : {0.75, 1.0, 0.0}) {
    const word_windows data(sentences, 4, {.negatives = 3, .power = power, .sample = 0});
    std::map<int, double> drawn;
    for (int number = 1; number <= 150; ++number) {
      const word_windows::epoch epoch = data.of_epoch(number);
      for (int row = 0; row < epoch.size(); ++row) {
        const std::vector<int> words = candidates(epoch, row);
        REQUIRE(words.size() == 4);
        for (std::size_t k = 1; k < 4; ++k) {
          CHECK(words[k] != words[0]);
          if (words[0] == 2) ++drawn[words[k]];
        }
      }
    }
    CHECK(drawn.count(3) == 0);  // does not occur
    const double total = 450, share = std::pow(64, power) / (std::pow(64, power) + std::pow(17, power));
    CHECK(drawn[0] + drawn[1] == total);
    CHECK(std::abs(drawn[0] - total * share) < 5 * std::sqrt(total * share * (1 - share)));
  }
}

TEST_CASE("frequent words are left out at random, and others come closer") {
  std::vector<std::vector<int>> sentences;
  for (int k = 0; k < 400; ++k) sentences.push_back({0, 1, 0, 0, 2, 0, 3 + k % 7, 0, 0, 0});
  const word_windows data(sentences, 10, {.window = 1, .sample = 0.05});
  const double ratio = 0.7 / 0.05, kept = std::sqrt(1 / ratio) + 1 / ratio;
  CHECK(data.share_kept(0) == doctest::Approx(kept));
  CHECK(data.share_kept(5) == 1);
  const word_windows::epoch epoch = data.of_epoch(1);
  long zeros = 0, rare = 0;
  bool are_near = false;
  for (int row = 0; row < epoch.size(); ++row) {
    const int word = candidates(epoch, row)[0];
    zeros += word == 0;
    rare += word >= 3;
    const std::vector<int> around = context(epoch, row);
    are_near = are_near || (word == 1 && std::find(around.begin(), around.end(), 2) != around.end());
  }
  CHECK(rare == 400);
  CHECK(are_near);  // 1 and 2 have two words between them in every sentence
  CHECK(std::abs(static_cast<double>(zeros) - 2800 * kept) < 5 * std::sqrt(2800 * kept * (1 - kept)));
}

TEST_CASE("an epoch is the same whenever it is asked, and another than the next") {
  const word_windows data(sentences_of({10, 10, 10}), 30, {.sample = 0.01, .random = seed{4}});
  const auto all_of = [](const word_windows& of, int number) {
    const word_windows::epoch epoch = of.of_epoch(number);
    std::vector<int> words;
    for (int row = 0; row < epoch.size(); ++row) {
      epoch.append_context(row, words);
      epoch.append_candidates(row, words);
    }
    return words;
  };
  CHECK(all_of(data, 3) == all_of(data, 3));
  CHECK(all_of(data, 3) != all_of(data, 4));
  CHECK(all_of(data, 3) !=
        all_of(word_windows(sentences_of({10, 10, 10}), 30, {.sample = 0.01, .random = seed{5}}), 3));
}

struct negative_sampling {
  static constexpr auto at(auto context, auto candidates) {
    const auto score = dot(context, candidates), is_true = equal(position_of<"candidate">(candidates), 0);
    return sum<"context">(sum<"candidate">(softplus(score) - is_true * score));
  }
};
using skip_gram = graph<"skip_gram", input<"context", token<30>, steps<4, "context">>,
                        input<"candidates", token<30>, steps<3, "candidate">>,
                        node<"inside", embedding<30, 5, sparse>, "context">,
                        node<"outside", embedding<30, 5, sparse>, "candidates">,
                        node<"loss", negative_sampling, "inside", "outside">, output<"loss">>;

TEST_CASE("a session gets the rows that are asked for: its loss and its step by hand") {
  const word_windows data(sentences_of({10, 10, 10}), 30, {.window = 2, .negatives = 2, .sample = 0});
  const word_windows::epoch epoch = data.of_epoch(1);
  parameters<skip_gram> theta(seed{2});
  const auto inside = [&](int word, int k) {
    return static_cast<double>(get<"inside.weight">(theta)(word, k));
  };
  const auto outside = [&](int word, int k) {
    return static_cast<double>(get<"outside.weight">(theta)(word, k));
  };
  const std::vector<int> rows{7, 0, 28};
  double loss = 0;
  std::map<std::pair<int, int>, double> slope_inside, slope_outside;  // of the mean over the rows
  for (int row : rows) {
    const std::vector<int> words = candidates(epoch, row);
    for (int around : context(epoch, row))
      for (std::size_t c = 0; c < words.size(); ++c) {
        double score = 0;
        for (int k = 0; k < 5; ++k) score += inside(around, k) * outside(words[c], k);
        loss += std::log1p(std::exp(c == 0 ? -score : score)) / 3;
        const double slope = (1 / (1 + std::exp(-score)) - (c == 0 ? 1 : 0)) / 3;
        for (int k = 0; k < 5; ++k) {
          slope_inside[{around, k}] += slope * outside(words[c], k);
          slope_outside[{words[c], k}] += slope * inside(around, k);
        }
      }
  }
  std::map<std::pair<int, int>, double> expected;
  for (const auto& [at, slope] : slope_inside) expected[at] = inside(at.first, at.second) - 0.5 * slope;
  const parameters<skip_gram> before = theta;
  trainer<skip_gram, losses::mean_of<"loss">, optimizers::sgd, batch<4>> train(theta, {.learning_rate = 0.5});
  epoch.set_inputs(train, rows);
  CHECK(train.step() == doctest::Approx(loss).epsilon(1e-5));
  CHECK(train.rows() == 3);
  for (int word = 0; word < 30; ++word)
    for (int k = 0; k < 5; ++k) {
      const auto found = expected.find({word, k});
      const double was = static_cast<double>(get<"inside.weight">(before)(word, k));
      CHECK(inside(word, k) == doctest::Approx(found == expected.end() ? was : found->second).epsilon(1e-5));
    }
  CHECK(slope_outside.size() >= 15);
}

TEST_CASE("mistakes are said with their place") {
  CHECK(refusal({{0, 1}, {1, 7}}, 7) == "word_windows: sentence 1: expected words from 0 to 6, got 7");
  CHECK(refusal({{0, -1}}, 7) == "word_windows: sentence 0: expected words from 0 to 6, got -1");
  CHECK(refusal({{3, 3}, {}}, 7) == "word_windows: expected at least two different words, got 1");
  CHECK(refusal({}, 0) == "word_windows: expected at least two different words, got 0");
  CHECK(refusal({{0, 1}}, 2, {.window = 0}) == "word_windows: window: expected at least 1, got 0");
  CHECK(refusal({{0, 1}}, 2, {.negatives = 0}) == "word_windows: negatives: expected at least 1, got 0");
  CHECK(refusal({{0, 1}}, 2, {.power = NAN}) == "word_windows: power: expected a finite number, got nan");
  CHECK(refusal({{0, 1}}, 2, {.sample = -1}) ==
        "word_windows: sample: expected a finite number of at least 0, got -1");
}
