// metric::bleu: how near translations are to those of people, as sacreBLEU defines it (Papineni et al. 2002, Post 2018): of a whole corpus, in
// tokens of 13a (those of mteval-v13a), with exponential smoothing (NIST; Chen and Cherry 2014, method 3).
//
//   metric::bleu score({.lowercase = true});
//   score.add("the cat sat .", "a cat sat there .");   // a translation, and one by a person, or several
//   score.value()                                      // 0 .. 100
#pragma once

#include "tenon/io/utf8.hpp"

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
  bool tokenize = true;    // 13a; false: a token is what stands between white space
};

// What a score is made of; index n - 1 speaks of runs of n tokens.
struct bleu_report {
  double score = 0;                       // 0 .. 100
  std::array<double, 4> precisions{};     // in per cent, smoothed
  double brevity_penalty = 1;             // below 1 where the hypotheses are shorter than the references
  std::array<long, 4> matches{}, runs{};  // of the hypotheses
  long hypothesis_length = 0, reference_length = 0;  // in tokens

  // As sacreBLEU prints it.
  std::string text() const {
    char line[256];
    const double ratio = reference_length > 0
                             ? static_cast<double>(hypothesis_length) / static_cast<double>(reference_length)
                             : 0;
    std::snprintf(line, sizeof line,
                  "BLEU = %.2f %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %ld ref_len = %ld)",
                  score, precisions[0], precisions[1], precisions[2], precisions[3], brevity_penalty, ratio,
                  hypothesis_length, reference_length);
    return line;
  }
};

}  // namespace metric

namespace detail {

// Capital letters first, first + step, .. last become small ones by adding `to_small`.
struct capital_letters {
  unsigned first, last, step, to_small;
};
inline unsigned small_letter(unsigned c) {
  static constexpr capital_letters all[]{
      {'A', 'Z', 1, 32},     {0xC0, 0xD6, 1, 32},  {0xD8, 0xDE, 1, 32},    {0x100, 0x12E, 2, 1},
      {0x132, 0x136, 2, 1},  {0x139, 0x147, 2, 1}, {0x14A, 0x176, 2, 1},   {0x178, 0x178, 1, 0u - 121},
      {0x179, 0x17D, 2, 1},  {0x1A0, 0x1A4, 2, 1}, {0x1AF, 0x1AF, 1, 1},   {0x1CD, 0x1DB, 2, 1},
      {0x1DE, 0x1EE, 2, 1},  {0x1F8, 0x21E, 2, 1}, {0x222, 0x232, 2, 1},   {0x400, 0x40F, 1, 80},
      {0x410, 0x42F, 1, 32}, {0x460, 0x480, 2, 1}, {0x48A, 0x4BE, 2, 1},   {0x4C0, 0x4C0, 1, 15},
      {0x4C1, 0x4CD, 2, 1},  {0x4D0, 0x52E, 2, 1}, {0x1E00, 0x1E94, 2, 1}, {0x1E9E, 0x1E9E, 1, 0u - 7615},
      {0x1EA0, 0x1EFE, 2, 1}};
  for (const capital_letters& some : all)
    if (some.first <= c && c <= some.last && (c - some.first) % some.step == 0) return c + some.to_small;
  return c;
}
// The code point of a character of `size` bytes at the front; bytes that are none count by themselves.
inline unsigned code_point(std::string_view text, std::size_t size) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[k])); };
  if (size < 2) return byte(0);
  unsigned c = byte(0) & (0xFFu >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) c = c << 6 | (byte(k) & 0x3Fu);
  return c;
}
inline void append_code_point(std::string& to, unsigned c) {
  const auto append = [&](unsigned byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) return append(c);
  if (c < 0x800) return append(0xC0 | c >> 6), append(0x80 | (c & 0x3F));
  append(0xE0 | c >> 12), append(0x80 | (c >> 6 & 0x3F)), append(0x80 | (c & 0x3F));
}
inline std::string in_small_letters(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = std::max(utf8_length(text), std::size_t{1});
    const unsigned c = code_point(text, size), small = size > 1 || c < 0x80 ? small_letter(c) : c;
    if (c == 0x130) result += "i\xCC\x87";  // the Turkish I with a dot is an i and a dot
    else if (small == c) result += text.substr(0, size);
    else append_code_point(result, small);
    text.remove_prefix(size);
  }
  return result;
}
// The white space of Unicode, and the four separators of ASCII.
inline bool is_white_space(unsigned c) {
  return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}
// f(character, is it white space?) for each; a byte that begins none is one by itself.
template <class F>
void each_character(std::string_view text, F f) {
  while (!text.empty()) {
    const std::size_t size = std::max(utf8_length(text), std::size_t{1});
    const unsigned c = code_point(text, size);
    f(text.substr(0, size), (size > 1 || c < 0x80) && is_white_space(c));
    text.remove_prefix(size);
  }
}
inline std::vector<std::string> between_white_space(std::string_view text) {
  std::vector<std::string> tokens;
  bool starts = true;
  each_character(text, [&](std::string_view c, bool is_space) {
    if (!is_space) {
      if (starts) tokens.emplace_back();
      tokens.back() += c;
    }
    starts = is_space;
  });
  return tokens;
}
inline std::string_view without_last_space(std::string_view text) {
  std::size_t at = 0, end = 0;
  each_character(text, [&](std::string_view c, bool is_space) {
    at += c.size();
    if (!is_space) end = at;
  });
  return text.substr(0, end);
}
inline void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}
// 13a: each symbol but ' is a token, and so are full stops and commas that are not within a number, and a dash behind a digit. Of
// bytes beyond ASCII none is a symbol.
inline std::vector<std::string> tokens_of_13a(std::string_view segment) {
  std::string text(segment);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  const auto is_symbol = [](char c) {
    const auto is_in = [c](char first, char last) { return first <= c && c <= last; };
    return is_in('{', '~') || is_in('[', '`') || is_in(' ', '&') || is_in('(', '+') || is_in(':', '@') ||
           c == '/';
  };
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  const auto is_stop = [](char c) { return c == '.' || c == ','; };
  std::string spaced = " ";
  for (const char c : text + " ") is_symbol(c) ? (spaced += {' ', c, ' '}) : (spaced += c);
  // Each rule reads on behind what it has just replaced, as a regular expression does.
  const auto rewrite_pairs = [&](auto holds, auto replacement) {
    std::string result;
    for (std::size_t k = 0; k < spaced.size(); ++k) {
      if (k + 1 == spaced.size() || !holds(spaced[k], spaced[k + 1])) result += spaced[k];
      else result += replacement(spaced[k], spaced[k + 1]), ++k;
    }
    spaced = result;
  };
  rewrite_pairs([&](char a, char b) { return !is_digit(a) && is_stop(b); },
                [](char a, char b) {
                  return std::string{a, ' ', b, ' '};
                });
  rewrite_pairs([&](char a, char b) { return is_stop(a) && !is_digit(b); },
                [](char a, char b) {
                  return std::string{' ', a, ' ', b};
                });
  rewrite_pairs([&](char a, char b) { return is_digit(a) && b == '-'; },
                [](char a, char b) {
                  return std::string{a, ' ', b, ' '};
                });
  return between_white_space(spaced);
}

}  // namespace detail

namespace metric {

class bleu {
 public:
  explicit bleu(const bleu_options& options = {}) : options_(options) {}

  // Adds a segment: a translation, and a person's.
  void add(std::string_view hypothesis, std::string_view reference) {
    const std::string one(reference);
    add(hypothesis, std::span<const std::string>(&one, 1));
  }
  // And several persons': a run of tokens counts as often as it is in the one that has it most often, and the length is that of the
  // one nearest in length (of two, the shorter).
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
