// Words with vectors, by number and by name, and the rows of an embedding that start from them.
#include "tenon/io/word_vectors.hpp"

#include "tenon/data/vocabulary.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/parameters/parameters.hpp"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>

using namespace tenon;
using namespace tenon::nn;

namespace {

using list = std::vector<std::string>;
using tagger = graph<"tagger", input<"words", token<4>, steps<3>>, node<"embedded", embedding<4, 2>, "words">,
                     node<"logits", linear<3>, "embedded">, output<"logits">>;

io::word_vectors three_words() {
  io::word_vectors vectors(2);
  vectors.add("cat", std::array{1.0f, 2.0f});
  vectors.add("dog", std::vector<double>{3, 4});
  vectors.add("bird", std::vector<int>{5, 6});
  return vectors;
}
std::vector<float> numbers(view<const float> v) { return {v.begin(), v.end()}; }

}  // namespace

static_assert(detail::WordRange<vocabulary> && detail::WordRange<list> &&
              detail::WordRange<std::vector<const char*>>);
static_assert(!detail::WordRange<std::vector<int>> && !detail::WordRange<int>);

TEST_CASE("a word has a number and a vector, a row of the matrix") {
  const io::word_vectors vectors = three_words();
  CHECK(vectors.size() == 3);
  CHECK(vectors.dimensions() == 2);
  CHECK(vectors.words() == list{"cat", "dog", "bird"});
  CHECK(vectors.number("dog") == 1);
  CHECK_FALSE(vectors.number("fish").has_value());
  CHECK(vectors.word(2) == "bird");
  CHECK(vectors.matrix().shape(0) == 3);
  CHECK(vectors.matrix().shape(1) == 2);
  CHECK(vectors.matrix().is_contiguous());
  CHECK(numbers(vectors.matrix()) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(numbers(vectors.at("dog")) == std::vector<float>{3, 4});
  CHECK_THROWS_WITH_AS(vectors.at("fish"), "word_vectors: 'fish' is not among 3 words", std::out_of_range);
  CHECK_THROWS_WITH_AS(vectors.word(3), "word_vectors: there is no word 3 among 3 words", std::out_of_range);
  CHECK_THROWS_WITH_AS(vectors.word(-1), "word_vectors: there is no word -1 among 3 words",
                       std::out_of_range);
}
TEST_CASE("the matrix may be written to") {
  io::word_vectors vectors = three_words();
  vectors.matrix()(1, 0) = 9;
  CHECK(numbers(vectors.at("dog")) == std::vector<float>{9, 4});
}
TEST_CASE("what is no vector of a new word is refused and changes nothing") {
  io::word_vectors vectors = three_words();
  CHECK_THROWS_WITH_AS(vectors.add("dog", std::array{1, 2}),
                       "word_vectors: expected each word once, got 'dog' again", input_error);
  CHECK_THROWS_WITH_AS(vectors.add("", std::array{1, 2}), "word_vectors: expected a word, got an empty one",
                       input_error);
  CHECK_THROWS_WITH_AS(vectors.add("fish", std::array{1, 2, 3}),
                       "word_vectors: expected 2 numbers for 'fish', got 3", input_error);
  CHECK_THROWS_WITH_AS(io::word_vectors(0), "word_vectors: expected at least 1 dimension, got 0",
                       input_error);
  CHECK(vectors.size() == 3);
  CHECK(numbers(vectors.matrix()).size() == 6);
}
TEST_CASE("an embedding becomes word vectors") {
  parameters<tagger> theta(seed{1});
  const auto table = get<"embedded.weight">(theta);
  const vocabulary known(word_counts({"b", "b", "a"}), {.specials = {"<unk>"}});
  const io::word_vectors vectors(known, table);
  CHECK(vectors.words() == list{"<unk>", "b", "a"});
  CHECK(numbers(vectors.matrix()) == std::vector<float>(table.begin(), table.begin() + 6));
  CHECK_THROWS_WITH_AS(
      io::word_vectors(list{"a", "b", "c", "d", "e"}, table),
      "word_vectors: expected at most 4 words, as the matrix has rows, got more; the first of them is 'e'",
      input_error);
  CHECK_THROWS_WITH_AS(io::word_vectors(list{}, get<"logits.bias">(theta)),
                       "word_vectors: expected a matrix, [words, dimensions], got a tensor of rank 1",
                       input_error);
}
TEST_CASE("rows of known words are filled, the others stay, and missing words are named") {
  parameters<tagger> theta(seed{1});
  const auto table = get<"embedded.weight">(theta);
  const std::vector<float> before(table.begin(), table.end());
  const vocabulary known(word_counts({"dog", "dog", "newt"}), {.specials = {"<pad>"}});
  const io::embedding_coverage coverage = fill_embedding(table, known, three_words());
  CHECK(coverage.found == 1);
  CHECK(coverage.missing == list{"<pad>", "newt"});
  CHECK(coverage.share() == doctest::Approx(1 / 3.0));
  const std::vector<float> expected{before[0], before[1], 3, 4, before[4], before[5], before[6], before[7]};
  CHECK(numbers(table) == expected);
  CHECK(io::embedding_coverage{}.share() == 0);
}
TEST_CASE("a table of double is filled, too") {
  parameters<tagger, double> theta(seed{1});
  CHECK(fill_embedding(get<"embedded.weight">(theta), list{"cat", "bird"}, three_words()).found == 2);
  CHECK(get<"embedded.weight">(theta)(1, 1) == 6.0);
}
TEST_CASE("a table of another shape is refused and stays as it is") {
  parameters<tagger> theta(seed{1});
  const std::vector<float> before(theta.data(), theta.data() + theta.block_size);
  CHECK_THROWS_WITH_AS(
      fill_embedding(get<"embedded.weight">(theta), list{"cat", "b", "c", "d", "e"}, three_words()),
      "fill_embedding: expected at most 4 words, as the table has rows, got 5", input_error);
  CHECK_THROWS_WITH_AS(fill_embedding(get<"embedded.weight">(theta), list{"cat"},
                                      io::word_vectors(list{}, view<float>(nullptr, {0, 3}))),
                       "fill_embedding: expected a table of 3 columns, as the vectors have dimensions, got 2",
                       input_error);
  CHECK_THROWS_WITH_AS(fill_embedding(get<"logits.bias">(theta), list{"cat"}, three_words()),
                       "fill_embedding: expected a table, [rows, columns], got a tensor of rank 1",
                       input_error);
  CHECK(std::vector<float>(theta.data(), theta.data() + theta.block_size) == before);
}
