// word_windows: the training data of word vectors (Mikolov et al. 2013). Each row is a word of a text with the words around it, its
// context, and with words drawn at random, from which the word itself is to be told apart: negative sampling.
#pragma once

#include "tenon/data/alias_table.hpp"
#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/parameters/parameters.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tenon::inline v0_1 {

struct word_window_options {
  int window = 5;     // words on each side, at most: each row draws its own number from 1 to this one
  int negatives = 5;  // words that are drawn for each row, by count^power; none of them is the row's word
  double power = 0.75;
  double sample =
      1e-3;  // words with a larger share of the text are left out at random, the more often the larger; 0: none
  seed random{1};
};
#define TENON_MEMBERS_OF_WORD_WINDOW_OPTIONS ".window, .negatives, .power, .sample, .random"

class word_windows {
 public:
  // Sentences of the numbers 0 .. words-1; contexts end at their ends. Throws input_error, which names the sentence, for other numbers, for
  // options out of range, and if there are fewer than two different words.
  word_windows(const std::vector<std::vector<int>>& sentences, int words,
               const word_window_options& options = {});
#define TENON_SENTENCE                                                                                     \
  "word_windows takes sentences of word numbers, how many words there are, and options by their names in " \
  "this order, as in word_windows(sentences, words.size(), {.window = "                                    \
  "5}): " TENON_MEMBERS_OF_WORD_WINDOW_OPTIONS
  template <TENON_SAYS_AND(TENON_SENTENCE) class Sentences>
  word_windows(const Sentences&, ...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // The rows of one epoch: the words that are left in it and have a neighbour.
  class epoch {
   public:
    int size() const { return static_cast<int>(places_.size()); }
    // The words around row `row`, [1 .. 2 window], appended to `words`; then the row's own word and the drawn ones, [1 + negatives].
    void append_context(int row, std::vector<int>& words) const { append(row, &words, nullptr); }
    void append_candidates(int row, std::vector<int>& words) const { append(row, nullptr, &words); }
    // Sets the inputs "context", steps<2 * window>, and "candidates", steps<1 + negatives>, both tokens. The session brings set_input with it.
    template <class Session>
    void set_inputs(Session& session, std::span<const int> rows) const {
      const std::size_t each = static_cast<std::size_t>(1 + options_.negatives);
      std::vector<int> contexts, candidates;
      contexts.reserve(rows.size() * 2 * static_cast<std::size_t>(options_.window));
      candidates.reserve(rows.size() * each);
      std::vector<std::span<const int>> parts;
      parts.reserve(rows.size());
      for (int row : rows) {
        const std::size_t first = contexts.size();
        append(row, &contexts, &candidates);
        parts.emplace_back(contexts.data() + first, contexts.size() - first);
      }
      set_input<"context">(session, parts);
      for (std::size_t r = 0; r < rows.size(); ++r) parts[r] = {candidates.data() + r * each, each};
      set_input<"candidates">(session, parts);
    }

   private:
    friend word_windows;
    epoch(const word_windows& of, int number) : noise_(of.noise_), options_(of.options_), number_(number) {}
    // A row draws from a stream of its own, so it is the same in whichever batch.
    void append(int row, std::vector<int>* context, std::vector<int>* candidates) const;

    const alias_table& noise_;
    const word_window_options& options_;
    int number_;
    std::vector<int> text_{};    // what is left of the sentences, -1 before and after each
    std::vector<int> places_{};  // of the rows, in text_
  };
  // Epoch `number`, from 1 on; the same whenever it is asked. It refers to this object, and must not outlive it.
  epoch of_epoch(int number) const;

  long words() const { return static_cast<long>(text_.size()) - sentences_; }  // of the text
  // With which probability each occurrence of a word stays in an epoch, 0 .. 1.
  double share_kept(int word) const { return kept_[static_cast<std::size_t>(word)]; }

 private:
  static std::vector<double> counts_of(const std::vector<std::vector<int>>& sentences, int words);
  static alias_table noise_of(const std::vector<double>& counts, const word_window_options& options);
  word_windows(const std::vector<std::vector<int>>& sentences, const std::vector<double>& counts,
               const word_window_options& options);

  word_window_options options_;
  std::vector<int> text_{};  // -1 after each sentence
  long sentences_ = 0;
  std::vector<double> kept_{};
  alias_table noise_;
};

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/word_windows.ipp"
#endif
