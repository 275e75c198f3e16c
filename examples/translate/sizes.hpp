// The sizes of a model: constants of its type.
#pragma once

namespace translation {

struct sizes {
  int source_words = 0, target_words = 0;  // of the vocabularies, at most
  int steps = 0;                           // words of a sentence with its end, at most
  int embedding = 0, hidden = 0;
  double dropout = 0;
  double rate = 0;  // the highest learning rate, where the paper does not give one
};
// Words that its training part has at least twice.
inline constexpr sizes multi30k{.source_words = 7872, .target_words = 5936, .steps = 48, .embedding = 256, .hidden = 256, .dropout = 0.3, .rate = 1.5e-3};

}  // namespace translation
