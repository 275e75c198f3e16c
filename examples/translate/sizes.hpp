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
// For the sentences of the small grammar.
inline constexpr sizes small{.source_words = 64, .target_words = 48, .steps = 14, .embedding = 24, .hidden = 32, .dropout = 0, .rate = 1e-2};
// For Multi30k: the words that occur at least twice in its training part.
inline constexpr sizes multi30k{.source_words = 7872, .target_words = 5936, .steps = 48, .embedding = 256, .hidden = 256, .dropout = 0.3, .rate = 1.5e-3};
// For short English and French sentences of Tatoeba, with PyTorch's tutorial.
inline constexpr sizes tatoeba{.source_words = 4608, .target_words = 3008, .steps = 12, .embedding = 128, .hidden = 128, .dropout = 0.1, .rate = 2e-3};

}  // namespace translation
