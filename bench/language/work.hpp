// Whole models of sequences: a training step (forward, the mean over the words without padding, backward, clipping, update), and
// beam search of width 5. The networks are those of examples/translate and a language model of words, without dropout, so that all
// contenders get the same losses.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>

namespace bench {

enum class model { bahdanau, transformer, words };

using sentences = std::vector<std::vector<int>>;  // of tokens

struct language_work {
  static constexpr int start = 1, end = 2, width = 5;  // tokens around a sentence; the beam's width
  static constexpr int batch = 80, searched = 10;      // sentences of a training step, and of a search
  static constexpr int streams = 20, steps = 35;       // for the language model
  static constexpr double max_norm = 1, max_norm_of_words = 0.25, rate = 1e-3, rate_of_words = 20;
  static constexpr double smoothing = 0.1;  // of the transformer's labels

  model which;
  bool searches, is_large;
  sentences source{}, word{}, target{};  // word: the token before each target
  std::vector<int> text{};  // for the language model: three consecutive windows of `streams` pieces

  int source_words() const { return is_large ? 7872 : 64; }
  int target_words() const { return which == model::words ? (is_large ? 33278 : 500) : is_large ? 5936 : 48; }
  int hidden() const { return which == model::words ? (is_large ? 200 : 32) : is_large ? 256 : 32; }
  int embedding() const { return is_large ? 256 : 24; }
  int length() const { return is_large ? 13 : 9; }  // of a usual sentence with its end, as in Multi30k

  language_work(model m, bool s, bool l) : which(m), searches(s), is_large(l) {
    tenon::backend::random_stream random(2024, 31);
    // Few words are frequent, most are rare: the n-th has about the probability 1 / n (Zipf 1949).
    const auto draw = [&](int first, int words) {
      return std::min(words - 1, first + int(std::exp(random.uniform() * std::log(words - first))) - 1);
    };
    if (which == model::words) {
      for (int k = 0; k <= 3 * streams * steps; ++k) text.push_back(draw(0, target_words()));
      return;
    }
    // A batch of sentences of similar length: the sources have nearly the same length, their translations do not.
    for (int k = 0; k < (searches ? searched : batch); ++k) {
      std::vector<int> read, written;
      const int words_read = length() - (!searches && random.below(16) == 0);
      const int words_written = length() - 4 + int(random.below(4) + random.below(4) + random.below(4));
      for (int t = 1; t < words_read; ++t) read.push_back(draw(3, source_words()));
      for (int t = 1; t < words_written; ++t) written.push_back(draw(3, target_words()));
      read.push_back(end);
      written.push_back(end);
      source.push_back(read);
      target.push_back(written);
      written.insert(written.begin(), start);
      written.pop_back();
      word.push_back(written);
    }
  }
  static double count(const sentences& of) {
    double words = 0;
    for (const auto& one : of) words += static_cast<double>(one.size());
    return words;
  }
  // Multiply-adds of the products, for the words without padding.
  double multiply_adds() const {
    const double v = target_words(), h = hidden(), e = embedding(), s = length();
    const double read = searches ? double(searched) * length() : count(source);
    const double written = searches ? double(searched) * width * length() : count(target);
    const double times = searches ? 1 : 3;
    if (which == model::words) return times * streams * steps * (2 * 4 * h * 2 * h + h * v);
    if (which == model::bahdanau) {
      const double encoder = 2 * 3 * (e * h + h * h) + 2 * h * h;  // and the keys
      const double decoder =
          h * h + 3 * s * h + 3 * (e * h + h * h + 2 * h * h) + 2 * h * (3 * h + e) + h * v;
      return times * (read * encoder + written * decoder);
    }
    const double d = features(), between = feed_forward(), attention = 4 * d * d + 2 * s * d;
    const double encoder = 3 * (attention + 2 * d * between), keys = 3 * 2 * d * d;
    const double decoder = 3 * (2 * attention - 2 * d * d + 2 * d * between) + d * v;
    return times * (read * (encoder + keys) + written * decoder);
  }
  int features() const { return std::min(embedding(), 128); }  // of the transformer
  int feed_forward() const { return 2 * hidden(); }

  row describe() const {
    const char* const names[]{"Bahdanau's model", "a transformer", "a language model of words"};
    std::string name = names[static_cast<int>(which)];
    if (which == model::transformer) name += ", 3 + 3 blocks of " + std::to_string(features());
    else
      name += which == model::words ? ", LSTM 2 x " + std::to_string(hidden())
                                    : ", " + std::to_string(hidden()) + " units";
    name += ", " + std::to_string(target_words()) + " words";
    if (!searches) name += which == model::words ? ", 20 x 35" : ", 80 sentences";
    return {.group = searches ? "Sentences a second, beam search of width 5" : "Words a second, training",
            .name = name,
            .multiply_adds = multiply_adds(),
            .runs_to_check = searches ? 1 : 3,
            .tolerance = searches ? 1e-4 : 1e-3,
            .counted = searches                ? searched
                       : which == model::words ? streams * steps
                                               : count(target)};
  }
};

using language_contest = contest<language_work>;

}  // namespace bench
