// A translator for any of the models: it trains on a corpus, keeps a checkpoint, and translates with a beam.
//
// A model is a struct with
//   network                             a graph with inputs "source" and "word", and an output "logits"; with attention also "weights":
//                                       for each written word, one weight for each word of the source
//   size, name, batch                   its sizes; its printed name; sentences in a batch
//   has_attention, reverses_source
//   loss, rule                          the objective and the update rule
//   epochs, epochs_of_grammar           how often Multi30k, or Tatoeba, and the small grammar are read
//   rate(words, all epochs), max_norm(words)   for sentences of `words` words on average: a schedule, and the largest gradient norm
//   prepare(theta, seed)                initialises parameters whose initialiser the network does not give
//   numbers                             optional: those of the rule
//   writer                              optional: the graph that translates, a different graph with the same parameters
#pragma once

#include "corpus.hpp"

#include <tenon/decode/decode.hpp>
#include <tenon/io.hpp>
#include <tenon/io/heat_map.hpp>
#include <tenon/train.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace translation {

struct translated {
  sentence words;
  std::vector<std::vector<float>> weights{};  // for each word, and for the end token if it was reached, over the source
};

template <class Model>
constexpr typename Model::rule first_rule() {
  if constexpr (requires { Model::numbers; }) return Model::numbers;
  else return {};
}

template <class Model>
struct writer_of {
  using type = typename Model::network;
};
template <class Model>
requires requires { typename Model::writer; }
struct writer_of<Model> {
  using type = typename Model::writer;
};

template <class Model>
class translator {
 public:
  using network = typename Model::network;
  using writer = typename writer_of<Model>::type;
  static constexpr sizes size = Model::size;
  static constexpr int rows = 50;  // written at once: 50 sentences greedily, 10 with a beam of 5

  using stream = tenon::streaming<writer, tenon::batch<rows>>;
  using teacher = tenon::trainer<network, typename Model::loss, typename Model::rule, tenon::batch<Model::batch>, tenon::shards<2>>;

  // The corpus must outlive the translator.
  explicit translator(const corpus& known, tenon::seed s = tenon::seed{1}, int threads = 1)
      : known_(known), theta_(s), teacher_(theta_, first_rule<Model>(), tenon::seed{s.value + 1}, tenon::threads{threads}), live_(written()) {
    Model::prepare(theta_, s);
  }
  translator(const translator&) = delete;

  long parameter_count() const { return theta_.count(); }

  // Trains, from the checkpoint if it exists, and ends early after epoch `last`; prints a line for each epoch.
  tenon::reports::history train(int epochs, const std::string& checkpoint_path = "", std::FILE* log = stdout, int last = 0) {
    const auto train = encoded_pairs<Model>(known_.train, known_);
    const auto held_out = encoded_pairs<Model>(known_.held_out, known_);
    double words = 0;
    for (const sentence& one : known_.train.target) words += static_cast<double>(one.size() + 1);
    const double mean = words / train.size();
    teacher_.max_norm = Model::max_norm(mean);
    tenon::fit_options<teacher> options{.epochs = epochs, .batches = tenon::similar_length(20), .validate = held_out, .schedule = Model::rate(mean, epochs)};
    if (!checkpoint_path.empty()) options.checkpoint = tenon::checkpoint{checkpoint_path};
    options.log = nullptr;
    options.after_epoch = [&](const tenon::reports::epoch& epoch) {
      if (log == nullptr) return epoch.epoch != last;
      std::fprintf(log, "epoch %d/%d  rate %.3g  loss %.3f  held out %.3f  BLEU %.1f  %.0f words/s  %.0f s\n", epoch.epoch, epochs,
                   epoch.learning_rate, epoch.loss, epoch.validation_loss, judge(known_.held_out, 1).score, words / epoch.seconds, epoch.seconds);
      std::fflush(log);
      return epoch.epoch != last;
    };
    return tenon::fit(teacher_, train, options);
  }

  // For each source sentence, the translation with the best length-normalised score that a beam of this width finds.
  std::vector<translated> translate(const sentence_pairs& pairs, int width) {
    auto source = encoded(pairs.source, known_.source_words, size.steps, pairs.source_path);
    for (auto& words : source) words = in_reading_order<Model>(std::move(words));
    written();
    auto search = make_search(width);
    std::vector<int> order(source.size());  // sentences of similar length end together
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return std::pair(at(source, a).size(), a) < std::pair(at(source, b).size(), b); });
    std::vector<translated> result(source.size());
    tenon::for_each_batch(order, rows / width, [&](std::span<const int> some) {
      set_input<"source">(live_, some | std::views::transform([&](int k) -> const std::vector<int>& { return at(source, k); }));
      search();
      for (int s = 0; s < search.sentences(); ++s) {
        const auto best = search.best(s);
        const auto k = static_cast<std::size_t>(some[static_cast<std::size_t>(s)]);
        std::vector<int> words(best.tokens.begin(), best.tokens.end());
        for (int& word : words)  // a model may have room for more words than its corpus has
          if (word >= known_.target_words.size()) word = known_.target_words.at(unknown);
        result[k].words = known_.target_words.decode(words);
        if constexpr (Model::has_attention)
          for (std::size_t t = 0; t < best.kept.extent(0); ++t) {
            result[k].weights.emplace_back();
            for (std::size_t j = 0; j < source[k].size(); ++j) result[k].weights.back().push_back(best.kept(t, j));
          }
      }
    });
    return result;
  }

  static tenon::metric::bleu_report judge(const std::vector<translated>& all, const std::vector<sentence>& references) {
    tenon::metric::bleu score({.lowercase = true});
    for (std::size_t k = 0; k < all.size(); ++k) score.add(joined(all[k].words), joined(references[k]));
    return score.report();
  }
  tenon::metric::bleu_report judge(const sentence_pairs& pairs, int width) { return judge(translate(pairs, width), pairs.target); }

  // What it looked at for each word, and for the end.
  static tenon::io::heat_map map_of(const sentence& source, const translated& one) {
    tenon::io::heat_map map{.title = joined(one.words), .rows = one.words, .columns = source, .values = one.weights};
    map.columns.push_back(end);
    if (map.rows.size() < one.weights.size()) map.rows.push_back(end);
    return map;
  }

 private:
  static const std::vector<int>& at(const std::vector<std::vector<int>>& all, int k) { return all[static_cast<std::size_t>(k)]; }
  auto make_search(int width) {
    const tenon::decoding::beam_search_options options{.width = width, .start = known_.target_words.at(start), .end = known_.target_words.at(end), .max_steps = size.steps};
    if constexpr (Model::has_attention) return tenon::beam_search<"word", "logits", "weights">(live_, options);
    else return tenon::beam_search<"word">(live_, options);
  }

  // The learned parameters, as those of the graph that translates.
  tenon::parameters<writer>& written() {
    if constexpr (std::is_same_v<writer, network>) {
      return theta_;
    } else {
      tenon::io::copy_by_name(theta_, written_);
      return written_;
    }
  }

  const corpus& known_;
  tenon::parameters<network> theta_;
  teacher teacher_;
  struct none {};
  std::conditional_t<std::is_same_v<writer, network>, none, tenon::parameters<writer>> written_{};
  stream live_;
};

}  // namespace translation
