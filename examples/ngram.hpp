// What counting knows of a text: the probability of a token after the last ones, interpolated with those after fewer (Witten and Bell 1991).
#pragma once

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tenon::examples {

// p(t | h) = (n(h t) + d(h) p(t | h without its first token)) / (n(h) + d(h)), where n counts, and d(h) is the number of different tokens
// seen after h; after no token at all, p is the same for all `kinds` tokens.
class ngram_model {
 public:
  ngram_model(int order, int kinds, const std::vector<int>& text) : order_(order), kinds_(kinds), after_(std::size_t(order)) {
    if (order < 1) throw std::invalid_argument("ngram_model: the order is at least 1, not " + std::to_string(order));
    for (std::size_t t = 0; t < text.size(); ++t)
      for (std::size_t length = 0; length < std::size_t(order) && length <= t; ++length) {
        followers& of = after_[length][history(text, t, length)];
        ++of.count;
        ++of.tokens[text[t]];
      }
  }
  // Nats of a token, the mean over a text, whose first tokens have shorter histories.
  double judge(const std::vector<int>& text) const {
    double nats = 0;
    for (std::size_t t = 0; t < text.size(); ++t) nats -= std::log(probability(text, t));
    return nats / double(text.size());
  }

 private:
  struct followers {
    long count = 0;
    std::map<int, long> tokens;
  };
  int order_, kinds_;
  std::vector<std::map<std::vector<int>, followers>> after_;  // by the length of the history

  static std::vector<int> history(const std::vector<int>& text, std::size_t t, std::size_t length) {
    return {text.begin() + std::ptrdiff_t(t - length), text.begin() + std::ptrdiff_t(t)};
  }
  double probability(const std::vector<int>& text, std::size_t t) const {
    double p = 1.0 / kinds_;
    for (std::size_t length = 0; length < std::size_t(order_) && length <= t; ++length) {
      const auto found = after_[length].find(history(text, t, length));
      if (found == after_[length].end()) break;
      const followers& of = found->second;
      const auto seen = of.tokens.find(text[t]);
      const double different = double(of.tokens.size());
      p = (double(seen == of.tokens.end() ? 0 : seen->second) + different * p) / (double(of.count) + different);
    }
    return p;
  }
};

}  // namespace tenon::examples
