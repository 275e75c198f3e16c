// The text about eight people, by each of the four models: king - man + woman is near queen. And the plane that is drawn.
// flags: -O2
#include "../../examples/word_vectors.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

using namespace word_vectors;

namespace {

constexpr int words = 26, size = 8;
const vocabulary& known() {
  static const vocabulary all{word_counts(small_text(2000, seed{1}))};
  return all;
}
word_windows windows() {
  return {numbers_of(small_text(2000, seed{1}), known()),
          known().size(),
          {.window = 3, .negatives = 5, .sample = 0}};
}
template <class Model, class Loss, class Rule, int Rows, class Data>
std::string queen(const Data& data, int epochs, double rate) {
  parameters<Model> theta(seed{1});
  trainer<Model, Loss, Rule, batch<Rows>> train(theta);
  fit(train, data, {.epochs = epochs, .schedule = schedules::linear_decay(rate), .log = nullptr});
  return io::word_search(vectors_of(known(), get<"vectors.weight">(theta)))
      .analogy("man", "king", "woman")[0]
      .word;
}

}  // namespace

TEST_CASE("a softmax over all words") {
  const word_windows all = windows();
  const auto pairs = each_epoch([&](int epoch) { return pairs_of(all.of_epoch(epoch)); });
  const auto contexts = each_epoch([&](int epoch) { return contexts_of(all.of_epoch(epoch)); });
  CHECK(queen<word_vectors::skip_gram<words, size>, losses::cross_entropy<"logits">, optimizers::adam, 64>(
            pairs, 5, 0.02) == "queen");
  CHECK(queen<bag_of_words<words, size>, losses::cross_entropy<"logits">, optimizers::adam, 64>(
            contexts, 5, 0.02) == "queen");
}

TEST_CASE("negative sampling") {
  const word_windows all = windows();
  CHECK(queen<sampled<skip_gram_loss, words, size>, losses::mean_of<"loss">, optimizers::sgd, 32>(
            all, 10, 0.1 * 32) == "queen");
  CHECK(queen<sampled<bag_of_words_loss, words, size>, losses::mean_of<"loss">, optimizers::sgd, 32>(
            all, 10, 0.2 * 32) == "queen");
}

TEST_CASE("pairs and contexts of an epoch are the same words") {
  const word_windows all = windows();
  const word_windows::epoch rows = all.of_epoch(2);
  long near = 0;
  for (int row = 0; row < rows.size(); ++row) {
    std::vector<int> context;
    rows.append_context(row, context);
    near += static_cast<long>(context.size());
  }
  CHECK(pairs_of(rows).size() == near);
  CHECK(contexts_of(rows).size() == rows.size());
}

TEST_CASE("a text is read in small letters, without marks") {
  const file_with text(" = The Game = \n\n The <unk> game , role @-@ playing , began \n <unk> \n");
  const std::vector<std::vector<std::string>> expected{{"the", "game"},
                                                       {"the", "game", ",", "role", "playing", ",", "began"}};
  CHECK(read_sentences(text.path) == expected);
}

TEST_CASE("the plane of the two principal components") {
  io::word_vectors vectors(3);  // on a plane in space, turned: 4 (1, 2, 2)/3 and 1 (2, 1, -2)/3 from a centre
  const double across[4][2] = {{4, 1}, {4, -1}, {-4, 1}, {-4, -1}};
  const std::vector<std::string> names{"a", "b", "c", "d"};
  for (std::size_t w = 0; w < 4; ++w) {
    const double u = across[w][0] / 3, v = across[w][1] / 3;
    vectors.add(names[w], std::vector{5 + u + 2 * v, 7 + 2 * u + v, 9 + 2 * u - 2 * v});
  }
  const auto plane = principal_plane(vectors, names);
  const double first = plane[0][0] > 0 ? 1 : -1,
               second = plane[0][1] > 0 ? 1 : -1;  // axes may point either way
  for (std::size_t w = 0; w < 4; ++w) {
    CHECK(plane[w][0] * first == doctest::Approx(across[w][0]).epsilon(1e-4));
    CHECK(plane[w][1] * second == doctest::Approx(across[w][1]).epsilon(1e-4));
  }
  const std::string drawing = map_svg(vectors, names);
  for (const std::string& name : names) CHECK(drawing.find(">" + name + "</text>") != std::string::npos);
  CHECK(drawing.find("nan") == std::string::npos);
}
