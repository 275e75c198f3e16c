// The F1 of spans, against sets of spans found by the rules of conlleval, on examples by hand and at random.
#include "tenon/train/metrics/span_f1.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/data/vocabulary.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tenon::test {
using namespace nn;

using words = std::vector<std::string>;
using chunk = std::tuple<std::string, int, int>;  // type, first and last step

// conlleval's startOfChunk and endOfChunk, as in its script.
std::set<chunk> chunks(const words& tags) {
  std::set<chunk> all;
  std::string last_letter = "O", last_type;
  int first = -1;
  for (int t = 0; t <= static_cast<int>(tags.size()); ++t) {
    const std::string tag = t < static_cast<int>(tags.size()) ? tags[static_cast<std::size_t>(t)] : "O";
    const std::string letter = tag.substr(0, 1), type = tag.size() > 2 ? tag.substr(2) : "";
    bool ends = last_letter == "E" || last_letter == "S";
    if ((last_letter == "B" || last_letter == "I") && (letter == "B" || letter == "O" || letter == "S"))
      ends = true;
    if (last_letter != "O" && last_type != type) ends = true;
    bool starts = letter == "B" || letter == "S";
    if ((last_letter == "E" || last_letter == "S" || last_letter == "O") && (letter == "E" || letter == "I"))
      starts = true;
    if (letter != "O" && last_type != type) starts = true;
    if (ends && first >= 0) {
      all.emplace(last_type, first, t - 1);
      first = -1;
    }
    if (starts) first = t;
    last_letter = letter;
    last_type = type;
  }
  return all;
}
const words tags{"O", "B-a", "I-a", "E-a", "S-a", "B-b", "I-b", "E-b", "S-b"};
std::vector<int> numbers(const words& given) {
  std::vector<int> all;
  for (const auto& w : given)
    all.push_back(static_cast<int>(std::find(tags.begin(), tags.end(), w) - tags.begin()));
  return all;
}

TEST_CASE("spans are right where their type and both ends are") {
  metric::span_f1 f1{tags};
  CHECK(f1.name() == "span F1");
  CHECK(f1.value() == 0);
  // a 0-1, b 3-3, a 4-5; found: a 0-1, b 3-4, a 5-5
  f1.add(numbers({"B-a", "I-a", "O", "B-b", "B-a", "I-a"}),
         numbers({"B-a", "I-a", "O", "B-b", "I-b", "I-a"}));
  CHECK(f1.precision() == doctest::Approx(1.0 / 3));
  CHECK(f1.recall() == doctest::Approx(1.0 / 3));
  // a 0-2; found: a 0-0, a 1-2
  f1.add(numbers({"B-a", "I-a", "I-a"}), numbers({"B-a", "B-a", "I-a"}));
  CHECK(f1.precision() == doctest::Approx(1.0 / 5));
  CHECK(f1.recall() == doctest::Approx(1.0 / 4));
  CHECK(f1.value() == doctest::Approx(2.0 / 9));
  f1.add(numbers({"O", "I-b"}), numbers({"O", "B-b"}));  // a span that begins with I-
  CHECK(f1.value() == doctest::Approx(4.0 / 11));
  f1.add({}, {});
  CHECK(f1.value() == doctest::Approx(4.0 / 11));
  f1.reset();
  CHECK(f1.value() == 0);
}
TEST_CASE("any tags, as conlleval cuts them") {
  std::mt19937 random(4);
  for (int repetition = 0; repetition < 300; ++repetition) {
    long right = 0, wanted = 0, found = 0;
    metric::span_f1 f1{tags};
    for (int k = 0; k < 3; ++k) {
      const std::size_t steps = random() % 12, kinds = repetition % 2 == 0 ? 9 : 3;
      words target, predicted;
      for (std::size_t t = 0; t < steps; ++t) {
        target.push_back(tags[random() % kinds]);
        predicted.push_back(random() % 3 > 0 ? target.back() : tags[random() % kinds]);
      }
      const std::set<chunk> there = chunks(target), seen = chunks(predicted);
      for (const chunk& c : seen) right += there.count(c) > 0;
      wanted += static_cast<long>(there.size());
      found += static_cast<long>(seen.size());
      f1.add(numbers(target), numbers(predicted));
    }
    const double expected =
        wanted + found > 0 ? 2.0 * static_cast<double>(right) / static_cast<double>(wanted + found) : 0;
    CHECK(f1.value() == doctest::Approx(expected).epsilon(1e-12));
  }
}

using tagger = graph<"tagger", input<"words", token<9>, steps<5>>, node<"logits", embedding<9, 9>, "words">,
                     output<"logits">>;
TEST_CASE("of the sequences of a data set: up to their ends, without what is left out") {
  parameters<tagger> theta(zeros{});
  for (int k = 0; k < 9; ++k) get<"logits.weight">(theta)(k, k) = 1;  // a word is its own tag
  trainer<tagger, losses::cross_entropy<"logits">, optimizers::sgd, batch<2>> judge(theta);
  const std::vector<std::vector<int>> given{{1, 2, 0, 5}, {1}, {2, 2, 1}, {}},  //
      target{{1, 2, 0, 1}, {2}, {1, -1, 1}, {}};
  // a 0-1 is right, b 3-3 is no a; a 0-0 is right; without its second step the third sequence is I B for B B: both right
  const auto report = evaluate(judge, data_set(column<"words">(given), column<"target">(target)),
                               {metric::accuracy{}, metric::span_f1{tags}});
  CHECK(report.metrics[1] == doctest::Approx(8.0 / 10));
}
TEST_CASE("what is no set of tags, and sequences of two lengths") {
  CHECK_THROWS_WITH_AS(metric::span_f1{words({"the", "cat"})},
                       "span_f1: expected tags such as B-name, I-name and O, got none among 2", input_error);
  const vocabulary known(tags);
  metric::span_f1<"logits", "target"> f1(known);
  CHECK_THROWS_WITH_AS(f1.add(std::vector{0}, std::vector{0, 1}),
                       "span_f1: expected as many tags as targets, 1, got 2", input_error);
}

}  // namespace tenon::test
