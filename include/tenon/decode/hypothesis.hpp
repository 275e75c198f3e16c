// What a beam search is told, and one of the outputs that it finds: beam_search.hpp.
#pragma once

#include "tenon/tensor/view.hpp"

#include <cmath>
#include <span>

namespace tenon {

namespace decoding {

// What log p(y) is divided by, for |y| tokens, the end token among them.
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

// How a beam search goes.
struct beam_search_options {
  int width = 5;      // outputs that are followed, of each sentence
  int start = -1;     // the token in front of all
  int end = -1;       // the token that ends an output; -1: none, every output has max_steps tokens
  int max_steps = 0;  // steps of an output, at most: each writes a token, and the end token takes one of them
  int best = 1;       // outputs that are given for each sentence, the n of an n-best list; at most width
  length_normalization normalization = by_length();
};

// One output of a search.
template <class T>
struct hypothesis {
  std::span<const int> tokens;  // without the end token
  double log_probability = 0;   // of all, the end token among them
  double score = 0;             // divided by the normalisation of its length
  bool has_ended = false;       // with the end token; false: it was cut at max_steps tokens
  view<const T> kept{};         // [steps, D] of the output that is kept, the end token's step the last
};

}  // namespace decoding

}  // namespace tenon
