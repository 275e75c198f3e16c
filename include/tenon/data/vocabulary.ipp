// The bodies of vocabulary.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <stdexcept>

namespace tenon::inline v0_1 {

TENON_INLINE vocabulary::vocabulary(const word_counts& counts, const io::vocabulary_options& options) {
  check(options);
  for (const std::string& special : options.specials) table_.add(special, counts.count(special));
  if (!options.unknown.empty()) unknown_ = table_.find(options.unknown);
  append_all(counts.table_, options, true);
}

TENON_INLINE const std::string& vocabulary::word(int number) const {
  if (number < 0 || number >= size())
    throw std::out_of_range(
        detail::message_of({"vocabulary: there is no word ", number, " among its ", size(), " words"}));
  return table_.word(number);
}

TENON_INLINE std::optional<int> vocabulary::number(std::string_view word) const {
  const int found = table_.find(word);
  return found < 0 ? std::nullopt : std::optional(found);
}

TENON_INLINE int vocabulary::at(std::string_view word) const {
  const int found = table_.find(word);
  if (found < 0 && !unknown_) refuse_unknown(word);
  return found < 0 ? *unknown_ : found;
}

TENON_INLINE std::vector<int> vocabulary::encode(const std::vector<std::string>& words) const {
  std::vector<int> numbers;
  numbers.reserve(words.size());
  for (const std::string& word : words) numbers.push_back(at(word));
  return numbers;
}

TENON_INLINE std::vector<std::string> vocabulary::decode(std::span<const int> numbers) const {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const int number : numbers) words.push_back(word(number));
  return words;
}

TENON_INLINE std::string vocabulary::text(std::span<const int> numbers, std::string_view between) const {
  std::string all;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k > 0) all += between;
    all += word(numbers[k]);
  }
  return all;
}

TENON_INLINE vocabulary vocabulary::load(const std::string& path) {
  vocabulary result;
  detail::vocabulary_reader(path).read(result.table_, result.unknown_);
  return result;
}

TENON_INLINE void vocabulary::check(const io::vocabulary_options& options) {
  const word_counts times(options.specials);
  for (const std::string& special : options.specials)
    if (times.count(special) > 1)
      detail::throw_input_error(
          {"vocabulary: expected each special once, got '", special, "' ", times.count(special), " times"});
  if (!options.unknown.empty() && times.count(options.unknown) == 0)
    detail::throw_input_error({"vocabulary: expected the unknown token among the specials, got '",
                               options.unknown, "'; add it to .specials"});
  if (options.min_count < 1)
    detail::throw_input_error({"vocabulary: expected a min_count of at least 1, got ", options.min_count});
  const auto specials = static_cast<int>(options.specials.size());
  if (options.max_size < 0 || (options.max_size > 0 && options.max_size < specials))
    detail::throw_input_error({"vocabulary: expected a max_size of at least ", specials,
                               ", the number of specials, or 0 for no bound, got ", options.max_size});
}

TENON_INLINE void vocabulary::append_all(const detail::word_table& from,
                                         const io::vocabulary_options& options, bool by_count) {
  std::vector<int> order;
  for (int k = 0; k < from.size(); ++k)
    if (from.count(k) >= options.min_count && table_.find(from.word(k)) < 0) order.push_back(k);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    if (by_count && from.count(a) != from.count(b)) return from.count(a) > from.count(b);
    return from.word(a) < from.word(b);
  });
  for (const int k : order) {
    if (options.max_size > 0 && size() == options.max_size) return;
    table_.add(from.word(k), from.count(k));
  }
}

[[gnu::noinline]] TENON_INLINE void vocabulary::refuse_unknown(std::string_view word) const {
  ir::nearest nearest{ir::name(word)};
  for (const std::string& known : *this) nearest.consider(ir::name(known));
  throw std::out_of_range(detail::message_of({"vocabulary: '", word, "' is not among its ", size(),
                                              " words, and it has no unknown token; ",
                                              nearest.suggestion("give it one with .unknown").view()}));
}

}  // namespace tenon::inline v0_1
