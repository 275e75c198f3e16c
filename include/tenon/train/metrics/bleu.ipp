// The bodies of bleu.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::inline v0_1::metric {

TENON_INLINE std::string bleu_report::text() const {
  const auto per_cent = [&](std::size_t k) { return tenon::detail::fixed(precisions[k], 1); };
  const double ratio = reference_length > 0
                           ? static_cast<double>(hypothesis_length) / static_cast<double>(reference_length)
                           : 0;
  return "BLEU = " + tenon::detail::fixed(score, 2) + " " + per_cent(0) + "/" + per_cent(1) + "/" +
         per_cent(2) + "/" + per_cent(3) + " (BP = " + tenon::detail::fixed(brevity_penalty, 3) +
         " ratio = " + tenon::detail::fixed(ratio, 3) + " hyp_len = " + std::to_string(hypothesis_length) +
         " ref_len = " + std::to_string(reference_length) + ")";
}

TENON_INLINE void bleu::add(std::string_view hypothesis, std::string_view reference) {
  const std::string one(reference);
  add(hypothesis, std::span<const std::string>(&one, 1));
}

TENON_INLINE void bleu::add(std::string_view hypothesis, std::span<const std::string> references) {
  std::vector<std::vector<std::string>> sides{tokens_of(hypothesis)};
  for (const std::string& reference : references) sides.push_back(tokens_of(reference));
  const auto numbered = numbers_of(sides);
  const std::vector<int>& translated = numbered[0];
  total_.hypothesis_length += static_cast<long>(translated.size());
  total_.reference_length += nearest_length(numbered);
  for (std::size_t n = 1; n <= 4; ++n) add_runs(numbered, n);
}

TENON_INLINE bleu_report bleu::report() const {
  bleu_report result = total_;
  const auto hypothesis = static_cast<double>(total_.hypothesis_length),
             reference = static_cast<double>(total_.reference_length);
  result.brevity_penalty = hypothesis >= reference ? 1
                           : hypothesis > 0        ? std::exp(1 - reference / hypothesis)
                                                   : 0;
  if (std::all_of(total_.matches.begin(), total_.matches.end(), [](long m) { return m == 0; })) return result;
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

TENON_INLINE std::vector<std::string> bleu::tokens_of(std::string_view text) const {
  const std::string small = options_.lowercase ? detail::in_small_letters(text) : std::string(text);
  if (!options_.tokenize) return detail::between_white_space(small);
  return detail::tokens_of_13a(detail::without_last_space(small));
}

TENON_INLINE std::vector<std::vector<int>> bleu::numbers_of(
    const std::vector<std::vector<std::string>>& sides) {
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

TENON_INLINE long bleu::nearest_length(const std::vector<std::vector<int>>& sides) {
  const auto hypothesis = static_cast<long>(sides[0].size());
  long nearest = -1;
  for (std::size_t k = 1; k < sides.size(); ++k) {
    const auto length = static_cast<long>(sides[k].size());
    const long off = std::abs(hypothesis - length), least = std::abs(hypothesis - nearest);
    if (nearest < 0 || off < least || (off == least && length < nearest)) nearest = length;
  }
  return std::max(nearest, 0L);
}

TENON_INLINE std::vector<bleu::run> bleu::runs_of(const std::vector<int>& tokens, std::size_t n) {
  std::vector<run> runs;
  for (std::size_t k = 0; k + n <= tokens.size(); ++k) {
    runs.push_back({-1, -1, -1, -1});
    std::copy_n(tokens.begin() + static_cast<std::ptrdiff_t>(k), n, runs.back().begin());
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

TENON_INLINE void bleu::add_runs(const std::vector<std::vector<int>>& sides, std::size_t n) {
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

}  // namespace tenon::inline v0_1::metric
