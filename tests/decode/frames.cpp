// A source of continuous frames in place of words, as in speech (Chan et al. 2016, "Listen, attend and spell"): made sounds, two to four noisy frames
// for each letter, are written as letters. Texts that it has not heard come out right.
#include "tenon/data/data_set.hpp"
#include "tenon/decode/generate.hpp"
#include "tenon/decode/predict.hpp"
#include "tenon/decode/shifted_right.hpp"
#include "tenon/engine/session/streaming.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int letters = 5, end = 5, start = 6, longest = 5,
              pitches = 4;  // a text has at most so many letters

// Two frames side by side become one, so that the decoder looks at fewer places.
using speller = graph<"speller", input<"sound", features<pitches>, steps<4 * (longest - 1), "sound">>,
                      input<"before", token<letters + 2>, steps<longest, "text">>,
                      node<"pairs", chain<conv1d<16, 2, stride<2>>, activation::tanh>, "sound">,
                      node<"heard", gru<16, bidirectional>, "pairs">,
                      node<"written", embedding<letters + 2, 8>, "before">,
                      node<"states", gru<32>, "written", "heard.final">,
                      node<"context", attention<score::multiplicative>, "states", "heard">,
                      node<"seen", concatenate, "states", "context">,
                      node<"logits", linear<letters + 1>, "seen">, output<"logits">>;

struct sounds {
  std::vector<std::vector<std::array<float, pitches>>> frames;
  std::vector<std::vector<int>> texts;
};
sounds made_sounds(int count, seed s) {
  backend::random_stream random(s.value, 0);
  sounds all;
  for (int n = 0; n < count; ++n) {
    auto& frames = all.frames.emplace_back();
    auto& text = all.texts.emplace_back();
    for (std::uint32_t t = 0, size = 1 + random.below(longest - 1); t < size; ++t) {
      const int last = t > 0 ? text.back() : 0;  // nobody hears where a letter ends if it comes twice
      text.push_back((last + 1 + static_cast<int>(random.below(letters - 1))) % letters);
      for (std::uint32_t f = 0, lasts = 2 + random.below(3); f < lasts; ++f)
        for (std::size_t p = 0; p < pitches; ++p) {
          if (p == 0) frames.emplace_back();
          const double noise = 0.2 * (2 * random.uniform() - 1);
          frames.back()[p] = static_cast<float>(std::sin((1.0 + text.back()) * (1.0 + double(p))) + noise);
        }
    }
    text.push_back(end);
  }
  return all;
}

}  // namespace

TEST_CASE("sounds are written as letters") {
  const sounds known = made_sounds(600, seed{1}), unheard = made_sounds(60, seed{2});
  const auto rows =
      data_set(column<"sound">(known.frames), column<"before">(decoding::shifted_right(known.texts, start)),
               column<"target">(known.texts));
  parameters<speller> theta(seed{3});
  trainer<speller, losses::cross_entropy<"logits">, optimizers::adam, batch<20>> teacher(theta);
  fit(teacher, rows, {.epochs = 12, .shuffle = seed{4}, .schedule = schedules::cosine(1e-2), .log = nullptr});

  streaming<speller, batch<20>> live(theta);
  auto write = greedy<"before">(live, {.start = start, .end = end, .max_steps = longest});
  const auto written = predict(write, data_set(column<"sound">(unheard.frames)));
  int right = 0;
  for (std::size_t n = 0; n < written.size(); ++n) {
    std::vector<int> text = written[n];
    text.push_back(end);
    right += text == unheard.texts[n] ? 1 : 0;
  }
  CHECK(right >= 50);
}

}  // namespace tenon::test
