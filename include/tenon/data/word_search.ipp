// The bodies of word_search.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/data/lines.hpp"
#include "tenon/data/table_row.hpp"
#include "tenon/io/file.hpp"
#include "tenon/meta/inline.hpp"
#include "tenon/system/from_chars.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <system_error>

namespace tenon::inline v0_1::detail {

// In eight sums, so that a compiler may use vectors.
inline float dot(const float* x, const float* y, int count) {
  float sums[8]{};
  int k = 0;
  for (; k + 8 <= count; k += 8)
    for (int j = 0; j < 8; ++j) sums[j] += x[k + j] * y[k + j];
  for (; k < count; ++k) sums[0] += x[k] * y[k];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// From 1; equal numbers share the mean of their ranks.
inline std::vector<double> ranks_of(const std::vector<double>& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::vector<double> ranks(x.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && x[order[to]] == x[order[from]]) ++to;
    for (std::size_t k = from; k < to; ++k) ranks[order[k]] = 0.5 * static_cast<double>(from + to + 1);
    from = to;
  }
  return ranks;
}

TENON_INLINE double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<double> a = ranks_of(x), b = ranks_of(y);
  const double mean = 0.5 * static_cast<double>(x.size() + 1);
  double products = 0, of_a = 0, of_b = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    products += (a[k] - mean) * (b[k] - mean);
    of_a += (a[k] - mean) * (a[k] - mean);
    of_b += (b[k] - mean) * (b[k] - mean);
  }
  return of_a > 0 && of_b > 0 ? products / std::sqrt(of_a * of_b) : 0;
}

// Is the text, but for white space around it, one finite number?
inline bool reads_number(std::string_view text, double& number) {
  text = trimmed_number(text);
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
}
inline std::string looked_up(std::string word, const io::word_list_options& options) {
  if (options.lowercase)
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

}  // namespace tenon::inline v0_1::detail

namespace tenon::inline v0_1::io {

TENON_INLINE word_search::word_search(const word_vectors& of) : vectors_(of) {
  float* row = vectors_.matrix().data_handle();
  for (int w = 0; w < size(); ++w, row += dimensions()) {
    double squares = 0;
    for (int k = 0; k < dimensions(); ++k) squares += static_cast<double>(row[k]) * row[k];
    if (!std::isfinite(squares))
      detail::throw_input_error(
          {"word_search: expected finite numbers in the vector of '", vectors_.word(w), "'"});
    const double length = std::sqrt(squares);
    for (int k = 0; k < dimensions() && length > 0; ++k) row[k] = static_cast<float>(row[k] / length);
  }
}

TENON_INLINE int word_search::number_of(std::string_view word) const {
  if (const auto found = vectors_.number(word)) return *found;
  throw std::out_of_range(detail::message_of({"word_search: '", word, "' is not among ", size(), " words"}));
}

TENON_INLINE std::vector<near_word> word_search::nearest_to(const std::vector<float>& direction, int count,
                                                            const std::vector<int>& except) const {
  if (count < 1) detail::throw_input_error({"nearest: expected a number of words from 1 on, got ", count});
  struct candidate {
    float product;
    int word;
  };
  // The best so far, the largest first; of equal ones the word with the smaller number.
  std::vector<candidate> best;
  for (int w = 0; w < size(); ++w) {
    if (std::find(except.begin(), except.end(), w) != except.end()) continue;
    const float product = detail::dot(direction.data(), row(w), dimensions());
    if (best.size() == static_cast<std::size_t>(count) && !(product > best.back().product)) continue;
    const auto place =
        std::find_if(best.begin(), best.end(), [&](const candidate& c) { return product > c.product; });
    best.insert(place, {product, w});
    if (best.size() > static_cast<std::size_t>(count)) best.pop_back();
  }
  const double length =
      std::sqrt(static_cast<double>(detail::dot(direction.data(), direction.data(), dimensions())));
  std::vector<near_word> found;
  for (const candidate& c : best)
    found.push_back({vectors_.word(c.word), length > 0 ? c.product / length : 0});
  return found;
}

TENON_INLINE std::vector<near_word> word_search::nearest(std::string_view word, int count) const {
  const int w = number_of(word);
  return nearest_to({row(w), row(w) + dimensions()}, count, {w});
}

TENON_INLINE std::vector<near_word> word_search::nearest(view<const float> direction, int count,
                                                         const std::vector<std::string>& except) const {
  if (direction.dimension() != 1 || direction.shape(0) != static_cast<std::size_t>(dimensions()))
    detail::throw_input_error({"nearest: expected a direction of ", dimensions(),
                               " numbers, got a tensor of rank ", direction.dimension(), " and ",
                               direction.size(), " numbers"});
  std::vector<int> numbers;
  for (const std::string& word : except) numbers.push_back(number_of(word));
  return nearest_to({direction.begin(), direction.end()}, count, numbers);
}

TENON_INLINE std::vector<float> word_search::direction_of_analogy(int a, int b, int c) const {
  std::vector<float> direction(static_cast<std::size_t>(dimensions()));
  for (int k = 0; k < dimensions(); ++k)
    direction[static_cast<std::size_t>(k)] = row(b)[k] - row(a)[k] + row(c)[k];
  return direction;
}

TENON_INLINE std::vector<near_word> word_search::analogy(std::string_view a, std::string_view b,
                                                         std::string_view c, int count) const {
  const int from = number_of(a), to = number_of(b), of = number_of(c);
  return nearest_to(direction_of_analogy(from, to, of), count, {from, to, of});
}

TENON_INLINE double word_search::cosine(std::string_view one, std::string_view other) const {
  return static_cast<double>(detail::dot(row(number_of(one)), row(number_of(other)), dimensions()));
}

TENON_INLINE analogy_report word_search::answer_analogies(const std::string& path,
                                                          const word_list_options& options) const {
  analogy_report report;
  long line = 0;
  for (const std::string& text : read_lines(path)) {
    ++line;
    std::vector<std::string> words = words_of(text);
    if (!words.empty() && words.front() == ":") {
      std::string section;
      for (std::size_t k = 1; k < words.size(); ++k) section += (k > 1 ? " " : "") + words[k];
      report.sections.push_back({section});
      continue;
    }
    if (words.size() != 4)
      detail::throw_data_error(
          path, line,
          {"expected four words, or ':' and the name of a section, got ", words.size(), " words"});
    if (report.sections.empty()) report.sections.push_back({});
    analogy_count& here = report.sections.back();
    int numbers[4];
    bool known = true;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto found = vectors_.number(detail::looked_up(words[k], options));
      known = known && found.has_value();
      numbers[k] = found.value_or(-1);
    }
    if (!known) {
      ++here.left_out;
      continue;
    }
    const auto nearest = nearest_to(direction_of_analogy(numbers[0], numbers[1], numbers[2]), 1,
                                    {numbers[0], numbers[1], numbers[2]});
    ++here.asked;
    here.right += !nearest.empty() && nearest[0].word == vectors_.word(numbers[3]);
  }
  for (const analogy_count& s : report.sections) {
    report.all.right += s.right;
    report.all.asked += s.asked;
    report.all.left_out += s.left_out;
  }
  if (report.all.asked + report.all.left_out == 0)
    detail::throw_data_error(path, {"expected analogies, got none"});
  return report;
}

TENON_INLINE similarity_report word_search::rank_similarities(const std::string& path,
                                                              const word_list_options& options) const {
  similarity_report report;
  std::vector<double> rated, found;
  long line = 0;
  for (const std::string& text : read_lines(path)) {
    ++line;
    if (text.starts_with('#')) continue;
    const std::size_t first = text.find('\t'), second = text.find('\t', first + 1);
    double number = 0;
    if (first == std::string::npos || second == std::string::npos ||
        !detail::reads_number(std::string_view(text).substr(second + 1), number))
      detail::throw_data_error(
          path, line,
          {"expected a word, a tab, a word, a tab and a number, got '", detail::shortened(text), "'"});
    const auto one = vectors_.number(detail::looked_up(text.substr(0, first), options));
    const auto other =
        vectors_.number(detail::looked_up(text.substr(first + 1, second - first - 1), options));
    if (!one || !other) {
      ++report.left_out;
      continue;
    }
    rated.push_back(number);
    found.push_back(static_cast<double>(detail::dot(row(*one), row(*other), dimensions())));
  }
  report.pairs = static_cast<int>(rated.size());
  if (report.pairs + report.left_out == 0)
    detail::throw_data_error(path, {"expected pairs of words, got none"});
  report.spearman = detail::rank_correlation(rated, found);
  return report;
}

}  // namespace tenon::inline v0_1::io
