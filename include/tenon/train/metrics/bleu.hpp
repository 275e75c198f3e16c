// metric::bleu: how close translations are to those of people, as sacreBLEU defines it (Papineni et al. 2002,
// Post 2018): over a whole corpus, with 13a tokens (those of mteval-v13a) and exponential smoothing (NIST;
// Chen and Cherry 2014, method 3).
//
//   metric::bleu score({.lowercase = true});
//   score.add("the cat sat .", "a cat sat there .");   // a translation, and one by a person, or several
//   score.value()                                      // 0 .. 100
#pragma once

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/train/metrics/bleu_tokens.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

namespace metric {

struct bleu_options {
  bool lowercase = false;  // letters of the Latin and Cyrillic scripts are compared in lower case
  bool tokenize = true;    // 13a; false: a token is what is between white space
};
#define TENON_MEMBERS_OF_BLEU_OPTIONS ".lowercase, .tokenize"

// The parts of a score; index n - 1 is for runs of n tokens.
struct bleu_report {
  double score = 0;                       // 0 .. 100
  std::array<double, 4> precisions{};     // in per cent, smoothed
  double brevity_penalty = 1;             // below 1 if the hypotheses are shorter than the references
  std::array<long, 4> matches{}, runs{};  // of the hypotheses
  long hypothesis_length = 0, reference_length = 0;  // in tokens

  // As sacreBLEU prints it.
  std::string text() const {
    const auto per_cent = [&](std::size_t k) { return tenon::detail::fixed(precisions[k], 1); };
    const double ratio = reference_length > 0
                             ? static_cast<double>(hypothesis_length) / static_cast<double>(reference_length)
                             : 0;
    return "BLEU = " + tenon::detail::fixed(score, 2) + " " + per_cent(0) + "/" + per_cent(1) + "/" +
           per_cent(2) + "/" + per_cent(3) + " (BP = " + tenon::detail::fixed(brevity_penalty, 3) +
           " ratio = " + tenon::detail::fixed(ratio, 3) + " hyp_len = " + std::to_string(hypothesis_length) +
           " ref_len = " + std::to_string(reference_length) + ")";
  }
};

class bleu {
 public:
  explicit bleu(const bleu_options& options = {}) : options_(options) {}
#define TENON_SENTENCE                                                                       \
  "bleu takes options by their names in this order, as in metric::bleu score({.lowercase = " \
  "true}): " TENON_MEMBERS_OF_BLEU_OPTIONS
  template <TENON_SAYS_AND(TENON_SENTENCE) class Given = void>
  explicit bleu(...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // Adds a segment: a translation, and a person's.
  void add(std::string_view hypothesis, std::string_view reference) {
    const std::string one(reference);
    add(hypothesis, std::span<const std::string>(&one, 1));
  }
  // The same with several people's translations: a run of tokens counts at most as often as in the reference that has
  // it most often, and the length is that of the reference nearest in length (of two, the shorter).
  void add(std::string_view hypothesis, std::span<const std::string> references) {
    std::vector<std::vector<std::string>> sides{tokens_of(hypothesis)};
    for (const std::string& reference : references) sides.push_back(tokens_of(reference));
    const auto numbered = numbers_of(sides);
    const std::vector<int>& translated = numbered[0];
    total_.hypothesis_length += static_cast<long>(translated.size());
    total_.reference_length += nearest_length(numbered);
    for (std::size_t n = 1; n <= 4; ++n) add_runs(numbered, n);
  }

  bleu_report report() const {
    bleu_report result = total_;
    const auto hypothesis = static_cast<double>(total_.hypothesis_length),
               reference = static_cast<double>(total_.reference_length);
    result.brevity_penalty = hypothesis >= reference ? 1
                             : hypothesis > 0        ? std::exp(1 - reference / hypothesis)
                                                     : 0;
    if (std::all_of(total_.matches.begin(), total_.matches.end(), [](long m) { return m == 0; }))
      return result;
    double smoothing = 1, logarithms = 0;
    for (std::size_t n = 0; n < 4; ++n) {
      if (total_.runs[n] == 0) return result;  // the hypotheses are too short for runs of n: 0
      const auto runs = static_cast<double>(total_.runs[n]);
      result.precisions[n] = total_.matches[n] > 0 ? 100 * static_cast<double>(total_.matches[n]) / runs
                                                   : 100 / ((smoothing *= 2) * runs);
      logarithms += std::log(result.precisions[n]);
    }
    result.score = result.brevity_penalty * std::exp(logarithms / 4);
    return result;
  }
  double value() const { return report().score; }
  std::string name() const { return "BLEU"; }
  void reset() { total_ = {}; }

 private:
  using run = std::array<int, 4>;

  std::vector<std::string> tokens_of(std::string_view text) const {
    const std::string small = options_.lowercase ? detail::in_small_letters(text) : std::string(text);
    if (!options_.tokenize) return detail::between_white_space(small);
    return detail::tokens_of_13a(detail::without_last_space(small));
  }
  // Equal tokens have equal numbers.
  static std::vector<std::vector<int>> numbers_of(const std::vector<std::vector<std::string>>& sides) {
    std::vector<std::string_view> all;
    for (const auto& side : sides) all.insert(all.end(), side.begin(), side.end());
    std::sort(all.begin(), all.end());
    std::vector<std::vector<int>> result;
    for (const auto& side : sides) {
      result.emplace_back();
      for (const std::string& token : side)
        result.back().push_back(
            static_cast<int>(std::lower_bound(all.begin(), all.end(), token) - all.begin()));
    }
    return result;
  }
  static long nearest_length(const std::vector<std::vector<int>>& sides) {
    const auto hypothesis = static_cast<long>(sides[0].size());
    long nearest = -1;
    for (std::size_t k = 1; k < sides.size(); ++k) {
      const auto length = static_cast<long>(sides[k].size());
      const long off = std::abs(hypothesis - length), least = std::abs(hypothesis - nearest);
      if (nearest < 0 || off < least || (off == least && length < nearest)) nearest = length;
    }
    return std::max(nearest, 0L);
  }
  // The runs of n tokens, sorted.
  static std::vector<run> runs_of(const std::vector<int>& tokens, std::size_t n) {
    std::vector<run> runs;
    for (std::size_t k = 0; k + n <= tokens.size(); ++k) {
      runs.push_back({-1, -1, -1, -1});
      std::copy_n(tokens.begin() + static_cast<std::ptrdiff_t>(k), n, runs.back().begin());
    }
    std::sort(runs.begin(), runs.end());
    return runs;
  }
  void add_runs(const std::vector<std::vector<int>>& sides, std::size_t n) {
    std::vector<std::vector<run>> of;
    for (const auto& side : sides) of.push_back(runs_of(side, n));
    const std::vector<run>& translated = of[0];
    const auto times = [](const std::vector<run>& runs, const run& r) {
      const auto [first, last] = std::equal_range(runs.begin(), runs.end(), r);
      return static_cast<long>(last - first);
    };
    for (std::size_t k = 0; k < translated.size();) {
      const long here = times(translated, translated[k]);
      long most = 0;
      for (std::size_t side = 1; side < of.size(); ++side)
        most = std::max(most, times(of[side], translated[k]));
      total_.matches[n - 1] += std::min(here, most);
      k += static_cast<std::size_t>(here);
    }
    total_.runs[n - 1] += static_cast<long>(translated.size());
  }

  bleu_options options_;
  bleu_report total_;  // the counts
};

}  // namespace metric

}  // namespace tenon
