// What a sentence asks for, and the slots that it fills: one network with two outputs, see slots.cpp.
#pragma once

#include "sentences.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sentences {

// --- tagged sentences ----------------------------------------------------------------------------------------------------------------------
struct tagged {
  std::vector<sentence> words, tags;  // B-type at a slot's first word, I-type within it, O elsewhere
  std::vector<std::string> intents;

  int size() const { return static_cast<int>(words.size()); }
  tagged part(std::span<const int> rows) const {
    tagged some;
    for (const int row : rows) {
      const auto k = static_cast<std::size_t>(row);
      some.words.push_back(words[k]);
      some.tags.push_back(tags[k]);
      some.intents.push_back(intents[k]);
    }
    return some;
  }
};
// Reads a folder with three files, a sentence on each line: seq.in has the words, seq.out their tags, label the intent. Throws data_error.
inline tagged read_tagged(const std::string& folder) {
  tagged all{words_of(io::read_lines(folder + "/seq.in")), words_of(io::read_lines(folder + "/seq.out")), {}};
  for (const sentence& line : words_of(io::read_lines(folder + "/label"))) all.intents.push_back(line.empty() ? "" : line[0]);
  if (all.tags.size() != all.words.size() || all.intents.size() != all.words.size())
    throw data_error(folder + ": expected as many lines in seq.out and label as in seq.in, " + std::to_string(all.size()) + ", got " + std::to_string(all.tags.size()) +
                     " and " + std::to_string(all.intents.size()));
  for (std::size_t k = 0; k < all.words.size(); ++k)
    if (all.words[k].empty() || all.tags[k].size() != all.words[k].size() || all.intents[k].empty())
      throw data_error(folder + "/seq.out:" + std::to_string(k + 1) + ": expected a tag for each of " + std::to_string(all.words[k].size()) + " words and an intent, got " +
                       std::to_string(all.tags[k].size()) + " tags and '" + all.intents[k] + "'");
  for (sentence& one : all.tags) one.resize(std::min<std::size_t>(one.size(), longest));
  cut_off(all.words, folder + "/seq.in");
  return all;
}

// --- the network ---------------------------------------------------------------------------------------------------------------------------
constexpr int most_tags = 80, most_intents = 12;

// The states of an LSTM in both directions give a tag to each word, and their mean, weighted by attention (Yang et al. 2016), an intent to the
// sentence (Liu and Lane 2016).
template <sizes S>
using tagger = of_words<S,
    node<"spelled", spelled<S, 0.1, 0.4>,                                     "word", "beginning", "ending", "shape">,
    node<"states",  lstm<S.hidden, bidirectional, layers<2>, dropout<0.3>>,   "spelled">,
    node<"tags",    chain<dropout<0.4>, linear<most_tags>>,                   "states">,
    node<"row",     attention_over<64>,                                       "states">,
    node<"intent",  chain<dropout<0.4>, linear<most_intents>>,                "row">,
    output<"tags">, output<"intent">, output<"row.weights">>;
using both_losses = losses::sum_of<losses::cross_entropy<"tags", "right_tags">, losses::cross_entropy<"intent", "right_intent">>;

struct plan {  // of a training
  int epochs = 14;
  double rate = 2e-3;
  std::string checkpoint{};
  std::function<void(const reports::epoch&)> after_epoch{};
};

template <sizes S>
class slot_filler {
 public:
  using network = tagger<S>;
  using training = trainer<network, both_losses, optimizers::adam, batch<32>>;

  // Learns `known`, and keeps the parameters of the epoch after which the slots of `held_out` were filled best. `all` are both.
  slot_filler(const tagged& all, const tagged& known, const tagged& held_out, const plan& given, seed s = seed{1})
      : tags_(all.tags), intents_(all.intents), speller_(known.words, S.words), theta_(s), trainer_(theta_, {}, seed{s.value + 1}) {
    if (tags_.size() > most_tags || intents_.size() > most_intents)
      throw data_error("expected at most " + std::to_string(most_tags) + " tags and " + std::to_string(most_intents) + " intents, got " + std::to_string(tags_.size()) + " and " +
                       std::to_string(intents_.size()));
    trainer_.max_norm = 5;
    fit_options<training> options{.epochs = given.epochs, .shuffle = seed{s.value + 2}, .batches = similar_length(10), .validate = rows(held_out),
                                  .metrics = {metric::accuracy<"intent", "right_intent">{}, metric::span_f1<"tags", "right_tags">{tags_}},
                                  .schedule = schedules::linear_decay(given.rate),
                                  .stop = early_stopping{.patience = given.epochs, .metric = "span F1"}};
    options.log = nullptr;
    if (given.after_epoch) options.after_epoch = given.after_epoch;
    if (!given.checkpoint.empty()) options.checkpoint = checkpoint{.path = given.checkpoint, .must_match = {{"words", speller_.text()}}};
    fit(trainer_, rows(known), options);
  }

  const vocabulary& intents() const { return intents_; }
  long parameter_count() const { return theta_.count(); }

  struct answer {
    int intent = 0;
    std::vector<int> tags;
    std::vector<double> weights;  // of the words, for the intent
  };
  std::vector<answer> answers(const std::vector<sentence>& all) const {
    inference<network, batch<32>> run(theta_);
    return predict<"tags", "intent", "row.weights">(run, speller_.columns(all), [](const auto& tags, const auto& intent, const auto& weights) {
      answer given{argmax(intent), {}, {weights.begin(), weights.end()}};
      for (std::size_t t = 0; t < tags.shape(0); ++t) given.tags.push_back(argmax(tags[t]));
      return given;
    });
  }
  sentence tag_names(const answer& given) const { return tags_.decode(given.tags); }

  struct judgement {
    metric::confusion intents;
    metric::span_f1<> spans;
    int right;  // sentences whose intent and tags are all right
  };
  judgement judge(const tagged& some) const {
    std::vector<std::string> names(tags_.begin(), tags_.end());  // a tag that was never seen is one that cannot be found
    const auto number_of = [&](const std::string& tag) {
      const auto place = std::find(names.begin(), names.end(), tag);
      const auto number = static_cast<int>(place - names.begin());
      if (place == names.end()) names.push_back(tag);
      return number;
    };
    const std::vector<std::vector<int>> tags = of_each(some.tags, number_of);
    judgement found{metric::confusion(intents_.size()), metric::span_f1<>(names), 0};
    const std::vector<answer> given = answers(some.words);
    for (std::size_t k = 0; k < given.size(); ++k) {
      const int intent = intents_.at(some.intents[k]);
      found.intents.add(intent, given[k].intent);
      found.spans.add(tags[k], given[k].tags);
      found.right += intent == given[k].intent && tags[k] == given[k].tags;
    }
    return found;
  }

 private:
  auto rows(const tagged& some) const {
    return speller_.columns(some.words, column<"right_tags">(tags_.encode(some.tags)), column<"right_intent">(intents_.encode(some.intents)));
  }

  vocabulary tags_, intents_;
  speller speller_;
  parameters<network> theta_;
  training trainer_;
};

}  // namespace sentences
