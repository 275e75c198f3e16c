// The options of a beam search, and one of the outputs that it finds: beam_search.hpp.
#pragma once

#include "tenon/tensor/view.hpp"

#include <cmath>
#include <span>

namespace tenon {

namespace decoding {

// The divisor of log p(y) for |y| tokens, including the end token.
struct length_normalization {
  double alpha = 0;
  bool is_shifted = false;

  double operator()(int length) const {
    return std::pow(is_shifted ? (5.0 + length) / 6.0 : double(length), alpha);
  }
};
inline constexpr length_normalization no_normalization{};
// |y|^alpha: with 1 the mean of the tokens' log probabilities.
inline constexpr length_normalization by_length(double alpha = 1) { return {alpha, false}; }
// ((5 + |y|) / 6)^alpha (Wu et al. 2016, equation 14).
inline constexpr length_normalization wu_2016(double alpha = 0.6) { return {alpha, true}; }

// The options of a beam search.
struct beam_search_options {
  int width = 5;      // outputs that are followed for each sentence
  int start = -1;     // the token before all others
  int end = -1;       // the token that ends an output; -1: none, every output has max_steps tokens
  int max_steps = 0;  // steps of an output, at most: each writes a token, and the end token takes one of them
  int best = 1;       // outputs returned for each sentence, the n of an n-best list; at most width
  length_normalization normalization = by_length();
};
#define TENON_MEMBERS_OF_BEAM_SEARCH_OPTIONS ".width, .start, .end, .max_steps, .best, .normalization"

// One output of a search.
template <class T>
struct hypothesis {
  std::span<const int> tokens;  // without the end token
  double log_probability = 0;   // of all tokens, including the end token
  double score = 0;             // divided by the normalisation of its length
  bool has_ended = false;       // with the end token; false: cut at max_steps tokens
  view<const T> kept{};         // [steps, D] of the kept output; the end token's step is the last
};

}  // namespace decoding

}  // namespace tenon
