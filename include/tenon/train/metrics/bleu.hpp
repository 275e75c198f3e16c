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

#include <array>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1 {

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
  std::string text() const;
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
  void add(std::string_view hypothesis, std::string_view reference);
  // The same with several people's translations: a run of tokens counts at most as often as in the reference that has
  // it most often, and the length is that of the reference nearest in length (of two, the shorter).
  void add(std::string_view hypothesis, std::span<const std::string> references);

  bleu_report report() const;
  double value() const { return report().score; }
  std::string name() const { return "BLEU"; }
  void reset() { total_ = {}; }

 private:
  using run = std::array<int, 4>;

  std::vector<std::string> tokens_of(std::string_view text) const;
  // Equal tokens have equal numbers.
  static std::vector<std::vector<int>> numbers_of(const std::vector<std::vector<std::string>>& sides);
  static long nearest_length(const std::vector<std::vector<int>>& sides);
  // The runs of n tokens, sorted.
  static std::vector<run> runs_of(const std::vector<int>& tokens, std::size_t n);
  void add_runs(const std::vector<std::vector<int>>& sides, std::size_t n);

  bleu_options options_;
  bleu_report total_;  // the counts
};

}  // namespace metric

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/train/metrics/bleu.ipp"
#endif
