// Sentences and their classes, and a committee of networks that learns them: see classify.cpp.
#pragma once

#include "sentences.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sentences {

// --- sentences with a class ----------------------------------------------------------------------------------------------------------------
struct labelled {
  std::vector<sentence> words;
  std::vector<std::string> classes;

  int size() const { return static_cast<int>(words.size()); }
  labelled part(std::span<const int> rows) const {
    labelled some;
    for (const int row : rows) {
      some.words.push_back(words[static_cast<std::size_t>(row)]);
      some.classes.push_back(classes[static_cast<std::size_t>(row)]);
    }
    return some;
  }
  // By which repeated sentences stay together: their words in lower case.
  std::vector<sentence> groups() const { return of_each(words, in_lower_case); }
};
// The words of a sentence that is written as people do.
inline sentence words_of_text(const std::string& text) { return words_of(text, {.split_punctuation = true}); }

// Reads a table FILE.csv with the columns text and category (Banking77), or lines with a class, a colon, a finer class and words (TREC). Throws data_error.
inline labelled read_labelled(const std::string& path) {
  labelled all;
  if (path.ends_with(".csv")) {
    for (const io::table_row& row : io::read_table(path, 2, {.has_header = true})) {
      all.words.push_back(words_of_text(row.field("text")));
      all.classes.push_back(row.field("category"));
    }
    cut_off(all.words, path);
    return all;
  }
  for (const std::string& line : io::read_lines(path)) {
    sentence words = words_of(line);
    const std::size_t colon = words.empty() ? std::string::npos : words[0].find(':');
    if (colon == std::string::npos || words.size() < 2)
      throw data_error(path + ":" + std::to_string(all.size() + 1) + ": expected CLASS:finer and a sentence, got '" + line + "'");
    all.classes.push_back(words[0].substr(0, colon));
    words.erase(words.begin());
    all.words.push_back(std::move(words));
  }
  cut_off(all.words, path);
  return all;
}

// --- the network ---------------------------------------------------------------------------------------------------------------------------
constexpr int most_classes = 80;

// Two ways to read a sentence: an LSTM in both directions, whose states are weighted by attention (Yang et al. 2016); and convolutions over two, three
// and four words, of each of which the largest value counts (Kim 2014).
template <sizes S>
using by_attention = of_words<S,
    node<"spelled", spelled<S, 0.3, 0.5>,                     "word", "beginning", "ending", "shape">,
    node<"states",  lstm<S.hidden, bidirectional>,            "spelled">,
    node<"row",     attention_over<64>,                       "states">,
    node<"logits",  chain<dropout<0.5>, linear<most_classes>>, "row">,
    output<"logits">, output<"row.weights">>;
template <sizes S, int Words>
using largest_of = chain<conv1d<S.channels, Words, padding<Words / 2>>, activation::relu, max_over<>>;
template <sizes S>
using by_convolution = of_words<S,
    node<"spelled", spelled<S, 0.3, 0.5>,                     "word", "beginning", "ending", "shape">,
    node<"two",     largest_of<S, 2>,                         "spelled">,
    node<"three",   largest_of<S, 3>,                         "spelled">,
    node<"four",    largest_of<S, 4>,                         "spelled">,
    node<"row",     concatenate,                              "two", "three", "four">,
    node<"logits",  chain<dropout<0.5>, linear<most_classes>>, "row">,
    output<"logits">>;

// Two networks of each kind are one graph. Each learns by itself; the answer is the mean of their log-probabilities.
struct mean_of_all {
  static constexpr auto at(auto a, auto b, auto c, auto d) { return (log_softmax(a) + log_softmax(b) + log_softmax(c) + log_softmax(d)) / 4; }
};
struct mean_weight {
  static constexpr auto at(auto a, auto b) { return (a + b) / 2; }
};
template <sizes S>
using committee = of_words<S,
    node<"a", by_attention<S>,   "word", "beginning", "ending", "shape">,
    node<"b", by_attention<S>,   "word", "beginning", "ending", "shape">,
    node<"c", by_convolution<S>, "word", "beginning", "ending", "shape">,
    node<"d", by_convolution<S>, "word", "beginning", "ending", "shape">,
    node<"logits",  mean_of_all, "a", "b", "c", "d">,
    node<"weights", mean_weight, "a.row.weights", "b.row.weights">,
    output<"logits">, output<"weights">, output<"a">, output<"b">, output<"c">, output<"d">>;
template <ir::text Member>
using loss_of = losses::scaled<0.25, losses::cross_entropy<Member, "target", losses::label_smoothing<0.1>>>;

struct plan {  // of a training
  int epochs = 26;
  double rate = 2e-3;
  std::string checkpoint{};
  std::function<void(const reports::epoch&)> after_epoch{};
};

template <sizes S>
class classifier {
 public:
  using network = committee<S>;
  using training = trainer<network, losses::sum_of<loss_of<"a">, loss_of<"b">, loss_of<"c">, loss_of<"d">>, optimizers::adam, batch<32>>;

  // Learns `known`; `held_out`, which may be empty, is judged after each epoch. `all` are both.
  classifier(const labelled& all, const labelled& known, const labelled& held_out, const plan& given, seed s = seed{1})
      : classes_(all.classes), speller_(known.words, S.words), theta_(s), trainer_(theta_, {}, seed{s.value + 1}) {
    if (classes_.size() > most_classes)
      throw data_error("expected at most " + std::to_string(most_classes) + " classes, got " + std::to_string(classes_.size()));
    trainer_.max_norm = 5;
    fit_options<training> options{.epochs = given.epochs, .shuffle = seed{s.value + 2}, .batches = similar_length(10), .schedule = schedules::linear_decay(given.rate)};
    if (held_out.size() > 0) {
      options.validate = rows(held_out);
      options.metrics = {metric::accuracy{}};
    }
    options.log = nullptr;
    if (given.after_epoch) options.after_epoch = given.after_epoch;
    if (!given.checkpoint.empty()) options.checkpoint = checkpoint{.path = given.checkpoint, .must_match = {{"words", speller_.text()}}};
    fit(trainer_, rows(known), options);
  }

  const vocabulary& classes() const { return classes_; }
  long parameter_count() const { return theta_.count(); }

  struct answer {
    std::vector<double> probabilities, weights;  // of the classes; of the words
    int best() const { return argmax(probabilities); }
  };
  std::vector<answer> classify(const std::vector<sentence>& all) const {
    inference<network, batch<32>> run(theta_);
    return predict<"logits", "weights">(run, speller_.columns(all), [&](const auto& logits, const auto& weights) {
      answer given{softmax(logits), {weights.begin(), weights.end()}};
      given.probabilities.resize(static_cast<std::size_t>(classes_.size()));  // there is room for more classes than are known
      return given;
    });
  }
  metric::confusion judge(const labelled& rows) const {
    metric::confusion counts(classes_.size());
    const std::vector<answer> answers = classify(rows.words);
    for (std::size_t k = 0; k < answers.size(); ++k) counts.add(classes_.at(rows.classes[k]), answers[k].best());
    return counts;
  }

 private:
  auto rows(const labelled& some) const { return speller_.columns(some.words, column<"target">(classes_.encode(some.classes))); }

  vocabulary classes_;
  speller speller_;
  parameters<network> theta_;
  training trainer_;
};

}  // namespace sentences
