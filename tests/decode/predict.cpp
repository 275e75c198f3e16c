// The output for each row of a data set equals the output for the row alone: for every decoder, in batches that are not full.
#include "tenon/decode/predict.hpp"

#include "decode/translator.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/decode/shifted_right.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {
constexpr int count = 11;
tokens source(int row) {  // from one word to four
  tokens all;
  for (int t = 0; t <= row * 5 % 4; ++t) all.push_back((row + 3 * t * t) % 9);
  return all;
}
// Data with columns that no decoder needs: the words that it writes, and the targets.
auto pairs() {
  return data_set(column<"source">(count, source), column<"word">(count, [](int) { return tokens(9, 99); }),
                  column<"target">(count, [](int row) { return row; }));
}
constexpr decoding::generate_options until_end{.start = start, .end = end, .max_steps = 6};
tokens copy_of(std::span<const int> text) { return {text.begin(), text.end()}; }

// The output for a row alone, by a separate stream.
tokens greedy_alone(const parameters<translator>& theta, int row) {
  streaming<translator> live(theta);
  auto write = greedy<"word">(live, until_end);
  set_input<"source">(live, sentences{source(row)});
  write();
  return copy_of(write.text());
}
}  // namespace

TEST_CASE("greedy text of each row, in the order of the rows; the last batch is smaller") {
  const parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<4>> live(theta);
  auto write = greedy<"word">(live, until_end);
  const auto texts = predict(write, pairs());
  static_assert(std::is_same_v<decltype(texts), const std::vector<std::vector<int>>>);
  REQUIRE(texts.size() == count);
  std::size_t shortest = 6, longest = 0;
  for (int row = 0; row < count; ++row) {
    const tokens& text = texts[static_cast<std::size_t>(row)];
    CHECK(text == greedy_alone(theta, row));
    shortest = std::min(shortest, text.size());
    longest = std::max(longest, text.size());
  }
  CHECK(shortest < longest);
  CHECK(predict(write, pairs().part(std::vector{9, 2, 2})) == sentences{texts[9], texts[2], texts[2]});
  CHECK(predict(greedy<"word">(live, until_end), pairs()) == texts);  // a decoder that is a temporary
}
TEST_CASE("of a stream set_inputs sets what stays; what it takes step by step needs no column") {
  const parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<2>> live(theta);
  auto write = greedy<"word">(live, until_end);
  const auto of_sources = data_set(column<"source">(count, source));
  of_sources.set_inputs(live, std::vector{6, 3});
  write();
  CHECK(copy_of(write.text(0)) == greedy_alone(theta, 6));
  CHECK(copy_of(write.text(1)) == greedy_alone(theta, 3));
}
TEST_CASE("of a beam the best output of each row, as many rows at once as the stream has beams") {
  const parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<3>> alone(theta);
  auto search_alone = beam_search<"word">(alone, {.width = 3, .start = start, .end = end, .max_steps = 6});
  streaming<translator, batch<8>> live(theta);  // two sentences, and two free rows
  auto search =
      beam_search<"word">(live, {.width = 3, .start = start, .end = end, .max_steps = 6, .best = 2});
  const auto texts = predict(search, pairs());
  const std::vector<double> scores =
      predict(search, pairs(), [](const auto& found, int row) { return found.best(row).score; });
  REQUIRE(texts.size() == count);
  REQUIRE(scores.size() == count);
  for (int row = 0; row < count; ++row) {
    set_input<"source">(alone, sentences{source(row)});
    search_alone();
    CHECK(texts[static_cast<std::size_t>(row)] == copy_of(search_alone.best().tokens));
    CHECK(scores[static_cast<std::size_t>(row)] == doctest::Approx(search_alone.best().score).epsilon(1e-5));
  }
}
TEST_CASE("a function makes of each row what it likes: whether it has ended, its n best, its weights") {
  const parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<6>> live(theta);
  auto write = greedy<"word", "logits", "weights">(live, until_end);
  const auto texts = predict(write, pairs());
  const std::vector<bool> ended =
      predict(write, pairs(), [](const auto& written, int row) { return written.has_ended(row); });
  const auto weights = predict(write, pairs(), [](const auto& written, int row) {
    const auto kept = written.kept(row);
    return std::pair(kept.extent(0), std::vector<float>(kept.begin(), kept.end()));
  });
  for (std::size_t row = 0; row < count; ++row) {
    CHECK(ended[row] == (texts[row].size() < 6));
    REQUIRE(weights[row].first == texts[row].size());
    for (std::size_t t = 0; t < texts[row].size(); ++t) {
      float sum = 0;
      for (std::size_t j = 0; j < source(static_cast<int>(row)).size(); ++j)
        sum += weights[row].second[4 * t + j];
      CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    }
  }
  auto search =
      beam_search<"word">(live, {.width = 3, .start = start, .end = end, .max_steps = 6, .best = 3});
  const auto lists = predict(search, pairs(), [](const auto& found, int row) {
    sentences all;
    for (int n = 0; n < found.found(row); ++n) all.push_back(copy_of(found.nth(row, n).tokens));
    return all;
  });
  const auto best = predict(search, pairs());
  std::size_t most = 0;
  for (std::size_t row = 0; row < count; ++row) {
    CHECK(lists[row].front() == best[row]);
    most = std::max(most, lists[row].size());
  }
  CHECK(most == 3);
}
TEST_CASE("drawn texts are those that the decoder draws for these batches by hand") {
  const parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<4>> live(theta);
  const decoding::generate_options options{.start = start, .end = end, .max_steps = 6, .random = seed{8}};
  auto write = generate<"word">(live, options);
  const auto texts = predict(write, pairs());
  auto again = generate<"word">(live, options);
  for (int first = 0; first < count; first += 4) {
    sentences some;
    for (int row = first; row < std::min(first + 4, count); ++row) some.push_back(source(row));
    set_input<"source">(live, some);
    again();
    for (int row = 0; row < again.rows(); ++row)
      CHECK(texts[static_cast<std::size_t>(first + row)] == copy_of(again.text(row)));
  }
}

// A class and an initial state for each row, without a whole sequence as input.
using namer =
    graph<"namer", input<"letter", token<6>, steps<5>>, input<"kind", token<3>>, input<"h0", features<4>>,
          node<"e", embedding<6, 4>, "letter">, node<"of", embedding<3, 4>, "kind">,
          node<"seen", concatenate, "e", "of">, node<"states", gru<4>, "seen", "h0">,
          node<"logits", linear<6>, "states">, output<"logits">>;
std::array<float, 4> first_state(int row) {
  const float x = static_cast<float>(row);
  return {x / 2, -1, 1, 2 - x};
}
TEST_CASE("inputs without steps are inputs that stay") {
  parameters<namer> theta(seed{3});
  for (float& w : get<"logits.weight">(theta)) w *= 9;
  streaming<namer, batch<3>> live(theta);
  streaming<namer> alone(theta);
  auto write = greedy<"letter">(live, {.start = 1, .max_steps = 7});
  auto write_alone = greedy<"letter">(alone, {.start = 1, .max_steps = 7});
  const auto texts = predict(
      write, data_set(column<"kind">(7, [](int row) { return row % 3; }), column<"h0">(7, first_state)));
  REQUIRE(texts.size() == 7);
  for (int row = 0; row < 7; ++row) {
    set_input<"kind">(alone, std::array{row % 3});
    set_input<"h0">(alone, first_state(row));
    write_alone();
    CHECK(texts[static_cast<std::size_t>(row)] == copy_of(write_alone.text()));
  }
  CHECK(texts[0] != texts[4]);
}

// Data without check_inputs, which is not told about the written input.
struct own_data {
  int size() const { return count; }
  void set_inputs(auto& session, std::span<const int> rows) const {
    sentences some;
    for (int row : rows) some.push_back(source(row));
    set_input<"source">(session, some);
  }
};
TEST_CASE("data of one's own, and no rows at all") {
  const parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<4>> live(theta), free;
  auto write = greedy<"word">(live, until_end);
  CHECK(predict(write, own_data{}) == predict(write, pairs()));
  auto never = greedy<"word">(free, until_end);  // without parameters
  CHECK(predict(never, pairs().part(std::vector<int>{})).empty());
}
TEST_CASE("a row that cannot be set is found before the first step") {
  const parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<2>> live(theta);
  auto write = greedy<"word">(live, until_end);
  sentences all(6, tokens{1, 2});
  all[5] = {1, 9};
  int calls = 0;
  CHECK_THROWS_WITH_AS(
      predict(write, data_set(column<"source">(all)), [&](const auto&, int) { return ++calls; }),
      "column 'source', row 5, step 1: token 9, expected 0 to 8, the rows of table 'read.weight'; write "
      "token<10> and as many rows, or bound the vocabulary: {.max_size = 9}",
      input_error);
  CHECK(calls == 0);
}
// With teacher forcing, a network predicts all tokens of a target if, and only if, it writes that target by itself.
TEST_CASE("the share of rows that are right is sequence accuracy, where max_steps has room for the end") {
  parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<4>> live(theta);
  auto write = greedy<"word">(live, until_end);
  sentences targets = predict(write, pairs());
  std::size_t ending = 0;
  for (std::size_t row = 0; row < count; ++row) {  // every third has a mistake at some place
    if (targets[row].size() < 6) {
      targets[row].push_back(end);
      ++ending;
    }
    int& token = targets[row][row % targets[row].size()];
    if (row % 3 == 1) token = (token + 1) % 7;
  }
  CHECK(ending >= 6);
  const data_set data(column<"source">(count, source),
                      column<"word">(decoding::shifted_right(targets, start)), column<"target">(targets));
  trainer<translator, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> judge(theta);
  const double accuracy = evaluate(judge, data, {metric::sequence_accuracy{}}).metrics[0];

  const sentences written = predict(write, data, [](const auto& decoder, int row) {
    tokens text = copy_of(decoder.text(row));
    if (decoder.has_ended(row)) text.push_back(end);
    return text;
  });
  int right = 0;
  for (std::size_t row = 0; row < count; ++row) right += written[row] == targets[row];
  CHECK(right == 7);
  CHECK(accuracy == doctest::Approx(right / 11.0));
}

// On a stream, a data set sets only inputs that stay, as set_input does.
template <class Session>
concept TakesWords = requires(Session& session) {
  set_input<"word">(session, sentences{});
};
static_assert(TakesWords<inference<translator>> && !TakesWords<streaming<translator>>);

}  // namespace tenon::test
