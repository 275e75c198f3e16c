// The options of a beam search, and one of the outputs that it finds: beam_search.hpp.
#pragma once

#include "tenon/decode/next_token.hpp"
#include "tenon/tensor/view.hpp"

#include <cmath>
#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1 {

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

}  // namespace decoding

namespace detail {

template <class F>
struct unfit_normalization {
  static constexpr ir::problem wrong{
      .rule =
          "the option .normalization is called with a number of tokens, and this one gives no number for it",
      .fix = "write [](int length) { return std::sqrt(length); }, or decoding::by_length()"};
};
// Any function of a number of tokens.
class any_normalization {
 public:
  constexpr any_normalization(const decoding::length_normalization& n) : alpha(n.alpha), known_(n) {}
  template <class F>
  requires(!std::same_as<F, any_normalization>) any_normalization(F f) {
    if constexpr (!std::is_invocable_r_v<double, F&, int>) say<error_in<unfit_normalization<F>>>();
    else {
      held_ = engine::owned_value(std::move(f));
      call_ = [](const engine::owned_value& held, int length) {
        return static_cast<double>(held.as<F>()(length));
      };
    }
  }
  double operator()(int length) const { return call_ ? call_(held_, length) : known_(length); }

  double alpha = 0;  // of a length_normalization

 private:
  decoding::length_normalization known_{};
  engine::owned_value held_;
  double (*call_)(const engine::owned_value&, int) = nullptr;
};

}  // namespace detail

namespace decoding {

// The options of a beam search.
struct beam_search_options {
  int width = 5;      // outputs that are followed for each sentence
  int start = -1;     // the token before all others
  int end = -1;       // the token that ends an output; -1: none, every output has max_steps tokens
  int max_steps = 0;  // steps of an output, at most: each writes a token, and the end token takes one of them
  int best = 1;       // outputs returned for each sentence, the n of an n-best list; at most width
  // What log p(y) is divided by: one of the above, or any function of the number of tokens.
  detail::any_normalization normalization = by_length();
  // Called for each output that is followed, at each step: decoding::next_token.
  detail::any_adjustment adjust{};
};
#define TENON_MEMBERS_OF_BEAM_SEARCH_OPTIONS \
  ".width, .start, .end, .max_steps, .best, .normalization, .adjust"

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

}  // namespace tenon::inline v0_1
