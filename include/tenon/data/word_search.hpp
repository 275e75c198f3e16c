// word_search: the words whose vectors point in nearly the direction of another one, analogies, and how well word vectors do on the
// usual lists of analogies and of similar words.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/word_vectors.hpp"
#include "tenon/tensor/view.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1::io {

struct near_word {
  std::string word;
  double cosine = 0;  // of the angle between two vectors, -1 .. 1
};

// How many questions of a list of analogies were answered: of a section, or of the whole list.
struct analogy_count {
  std::string section;
  int right = 0, asked = 0;
  int left_out = 0;  // a word of the question has no vector

  double share() const { return asked > 0 ? static_cast<double>(right) / asked : 0; }
};
struct analogy_report {
  analogy_count all{};
  std::vector<analogy_count> sections{};
};

// How well cosines rank pairs of words that people have rated.
struct similarity_report {
  double spearman = 0;  // the correlation of ranks, -1 .. 1; 0 for fewer than two pairs
  int pairs = 0;
  int left_out = 0;  // a word of the pair has no vector
};

struct word_list_options {
  bool lowercase = false;  // A-Z of the list's words become a-z before they are looked up
};
#define TENON_MEMBERS_OF_WORD_LIST_OPTIONS ".lowercase"

class word_search {
 public:
  // Copies the vectors, each divided by its length; a vector of zeros is near to none. Throws input_error for numbers that are not finite.
  explicit word_search(const word_vectors& of);

  int size() const { return vectors_.size(); }
  int dimensions() const { return vectors_.dimensions(); }

  // The `count` words with the largest cosines, the largest first, without the word itself. Throws std::out_of_range if the word is not
  // there, and input_error for a count below 1.
  std::vector<near_word> nearest(std::string_view word, int count = 10) const;
  // The same for a direction, [dimensions], without the words in `except`.
  std::vector<near_word> nearest(view<const float> direction, int count,
                                 const std::vector<std::string>& except = {}) const;
  // a is to b as c is to ..: the words nearest to b - a + c, of vectors of length 1, without a, b and c (Mikolov et al. 2013).
  // analogy("man", "king", "woman") asks for king - man + woman.
  std::vector<near_word> analogy(std::string_view a, std::string_view b, std::string_view c,
                                 int count = 1) const;
  // Throws std::out_of_range if a word is not there.
  double cosine(std::string_view one, std::string_view other) const;

  // A list of analogies as the original tool has it: lines of four words, a b c d, in sections that begin with a line ": name". A question
  // counts as right if the nearest word is d. Throws data_error, which names the line, for any other number of words and for an empty list.
  analogy_report answer_analogies(const std::string& path, const word_list_options& options = {}) const;
  // A list of pairs that people have rated: lines of word, tab, word, tab, number; lines that begin with # are comments.
  // Throws data_error, which names the line, for other lines and for an empty list.
  similarity_report rank_similarities(const std::string& path, const word_list_options& options = {}) const;

#define TENON_SENTENCE(call)                                                \
#  call " takes a path, then options by their names, as in search." #  call \
        "(path, {.lowercase = true}): " TENON_MEMBERS_OF_WORD_LIST_OPTIONS
  TENON_SAYS(TENON_SENTENCE(answer_analogies))
  analogy_report answer_analogies(...) const TENON_REFUSED(TENON_SENTENCE(answer_analogies));
  TENON_SAYS(TENON_SENTENCE(rank_similarities))
  similarity_report rank_similarities(...) const TENON_REFUSED(TENON_SENTENCE(rank_similarities));
#undef TENON_SENTENCE

 private:
  const float* row(int word) const {
    return vectors_.matrix().data_handle() + std::ptrdiff_t(word) * dimensions();
  }
  int number_of(std::string_view word) const;
  // The words nearest to a direction of any length, without those of these numbers.
  std::vector<near_word> nearest_to(const std::vector<float>& direction, int count,
                                    const std::vector<int>& except) const;
  std::vector<float> direction_of_analogy(int a, int b, int c) const;

  word_vectors vectors_;  // of length 1
};

// The words whose vectors have the largest cosines with that of a word. To ask for many words, keep a word_search.
inline std::vector<near_word> nearest(const word_vectors& of, std::string_view word, int count = 10) {
  return word_search(of).nearest(word, count);
}

}  // namespace tenon::inline v0_1::io

namespace tenon::inline v0_1::detail {
// Spearman's rank correlation of two lists of equal length; equal numbers share the mean of their ranks. 0 if one list has no differences.
double rank_correlation(const std::vector<double>& x, const std::vector<double>& y);
}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/data/word_search.ipp"
#endif
