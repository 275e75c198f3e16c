// The bodies of word_windows.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/meta/inline.hpp"

#include <cmath>
#include <cstdint>

namespace tenon::inline v0_1 {

TENON_INLINE std::vector<double> word_windows::counts_of(const std::vector<std::vector<int>>& sentences,
                                                         int words) {
  std::vector<double> counts(static_cast<std::size_t>(words < 0 ? 0 : words));
  for (std::size_t s = 0; s < sentences.size(); ++s)
    for (int word : sentences[s]) {
      if (word < 0 || word >= words)
        detail::throw_input_error(
            {"word_windows: sentence ", s, ": expected words from 0 to ", words - 1, ", got ", word});
      ++counts[static_cast<std::size_t>(word)];
    }
  int different = 0;
  for (double count : counts) different += count > 0 ? 1 : 0;
  if (different < 2)
    detail::throw_input_error({"word_windows: expected at least two different words, got ", different});
  return counts;
}
TENON_INLINE alias_table word_windows::noise_of(const std::vector<double>& counts,
                                                const word_window_options& options) {
  if (options.window < 1)
    detail::throw_input_error({"word_windows: window: expected at least 1, got ", options.window});
  if (options.negatives < 1)
    detail::throw_input_error({"word_windows: negatives: expected at least 1, got ", options.negatives});
  if (!std::isfinite(options.power))
    detail::throw_input_error(
        {"word_windows: power: expected a finite number, got ", detail::general(options.power)});
  if (!(std::isfinite(options.sample) && options.sample >= 0))
    detail::throw_input_error({"word_windows: sample: expected a finite number of at least 0, got ",
                               detail::general(options.sample)});
  std::vector<double> weights;
  for (double count : counts) weights.push_back(count > 0 ? std::pow(count, options.power) : 0);
  return alias_table(weights);
}

TENON_INLINE word_windows::word_windows(const std::vector<std::vector<int>>& sentences, int words,
                                        const word_window_options& options)
    : word_windows(sentences, counts_of(sentences, words), options) {}
TENON_INLINE word_windows::word_windows(const std::vector<std::vector<int>>& sentences,
                                        const std::vector<double>& counts, const word_window_options& options)
    : options_(options), sentences_(static_cast<long>(sentences.size())), noise_(noise_of(counts, options)) {
  double total = 0;
  for (double count : counts) total += count;
  // As the original tool does it; the paper has sqrt(sample / share).
  for (double count : counts) {
    const double ratio = count / total / options.sample;
    kept_.push_back(options.sample > 0 && ratio > 0 ? std::fmin(1, (std::sqrt(ratio) + 1) / ratio) : 1);
  }
  for (const std::vector<int>& sentence : sentences) {
    text_.insert(text_.end(), sentence.begin(), sentence.end());
    text_.push_back(-1);
  }
}

TENON_INLINE word_windows::epoch word_windows::of_epoch(int number) const {
  epoch drawn(*this, number);
  // Rows have the streams 0 .. 2^32-2 of an epoch.
  backend::random_stream random(options_.random.value, (std::uint64_t(number) << 32) | 0xFFFFFFFFu);
  std::vector<int>& left = drawn.text_;
  left.push_back(-1);
  std::size_t first = left.size();  // of the sentence
  for (int word : text_) {
    if (word >= 0) {
      const double kept = kept_[static_cast<std::size_t>(word)];
      if (kept >= 1 || random.uniform() < kept) left.push_back(word);
      continue;
    }
    if (left.size() < first + 2) left.resize(first);  // no word is left, or one without a neighbour
    for (std::size_t k = first; k < left.size(); ++k) drawn.places_.push_back(static_cast<int>(k));
    if (left.size() > first) left.push_back(-1);
    first = left.size();
  }
  return drawn;
}

TENON_INLINE void word_windows::epoch::append(int row, std::vector<int>* context,
                                              std::vector<int>* candidates) const {
  backend::random_stream random(options_.random.value, (std::uint64_t(number_) << 32) | std::uint32_t(row));
  const int* const word = text_.data() + places_[static_cast<std::size_t>(row)];
  const int reach = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(options_.window)));
  if (context != nullptr) {
    int before = 0, after = 0;
    while (before < reach && word[-before - 1] >= 0) ++before;
    while (after < reach && word[after + 1] >= 0) ++after;
    context->insert(context->end(), word - before, word);
    context->insert(context->end(), word + 1, word + 1 + after);
  }
  if (candidates != nullptr) {
    candidates->push_back(*word);
    for (int drawn = 0; drawn < options_.negatives;)
      if (const int other = noise_.draw(random); other != *word) {
        candidates->push_back(other);
        ++drawn;
      }
  }
}

}  // namespace tenon::inline v0_1
