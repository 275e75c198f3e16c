// Pictures with a few digits on them, captions that say which digit is where, and a network that writes such captions: see captions.cpp.
#pragma once

#include <tenon/data.hpp>
#include <tenon/decode/decode.hpp>
#include <tenon/io.hpp>
#include <tenon/io/svg.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace digit_captions {

using namespace tenon;
using namespace tenon::nn;

// --- what is on a picture ---------------------------------------------------------------------------------------------------------------------
constexpr int side = 64, digit_side = 28;

struct placed_digit {
  int digit, field;  // of the nine fields of a picture, three in each line
};
using scene = std::vector<placed_digit>;  // in the order of the fields

inline std::vector<scene> some_scenes(int count, seed s) {  // of two to four digits in different fields
  backend::random_stream random(s.value, 0);
  std::vector<scene> all(static_cast<std::size_t>(count));
  for (scene& one : all)
    for (std::uint32_t left = 2 + random.below(3), field = 0; field < 9; ++field)  // each choice of fields is equally likely
      if (random.below(9 - field) < left) {
        one.push_back({static_cast<int>(random.below(10)), static_cast<int>(field)});
        --left;
      }
  return all;
}
inline std::string caption_of(const scene& all) {
  static const char* const digits[]{"a zero", "a one", "a two", "a three", "a four", "a five", "a six", "a seven", "an eight", "a nine"};
  static const char* const fields[]{"at the top left", "at the top", "at the top right", "at the left", "in the middle", "at the right",
                                    "at the bottom left", "at the bottom", "at the bottom right"};
  std::string text;
  for (std::size_t k = 0; k < all.size(); ++k) {
    text += k == 0 ? "" : k + 1 < all.size() ? " , " : " and ";
    text += digits[all[k].digit] + std::string(" ") + fields[all[k].field];
  }
  return text;
}

// --- pictures ---------------------------------------------------------------------------------------------------------------------------------
using pixels = std::vector<float>;  // of a picture or a digit, line after line, from 0 to 1
using digit_images = std::array<std::vector<pixels>, 10>;  // of each digit

// Any images of these digits, each anywhere in its field; fields are 13 x 13 places for the middle of a digit, three places apart.
inline pixels painted(const scene& all, const digit_images& images, backend::random_stream& random) {
  struct place {
    int y, x;
  };
  std::vector<place> middles;
  const auto is_near_another = [&](const place& p) {
    return std::any_of(middles.begin(), middles.end(), [&](const place& q) { return std::max(std::abs(p.y - q.y), std::abs(p.x - q.x)) < 18; });
  };
  while (middles.size() < all.size()) {  // draws all of them again if two digits overlap
    const auto coordinate = [&](int third) { return 10 + 16 * third + static_cast<int>(random.below(13)); };
    const int field = all[middles.size()].field;
    const place middle{coordinate(field / 3), coordinate(field % 3)};
    if (is_near_another(middle)) middles.clear();
    else middles.push_back(middle);
  }
  pixels picture(side * side);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& of_digit = images[static_cast<std::size_t>(all[k].digit)];
    if (of_digit.empty()) throw data_error("there is no image of the digit " + std::to_string(all[k].digit));
    const pixels& image = of_digit[random.below(static_cast<std::uint32_t>(of_digit.size()))];
    for (int y = 0; y < digit_side; ++y)
      for (int x = 0; x < digit_side; ++x) {
        const int line = middles[k].y + y - digit_side / 2, column = middles[k].x + x - digit_side / 2;
        if (line < 0 || line >= side || column < 0 || column >= side) continue;
        float& pixel = picture[static_cast<std::size_t>(line * side + column)];
        pixel = std::max(pixel, image[static_cast<std::size_t>(y * digit_side + x)]);
      }
  }
  return picture;
}
inline std::vector<pixels> painted(const std::vector<scene>& scenes, const digit_images& images, seed s) {
  backend::random_stream random(s.value, 0);
  std::vector<pixels> all;
  for (const scene& one : scenes) all.push_back(painted(one, images, random));
  return all;
}
// Digits of seven segments, thick and thin, for programs without data.
inline digit_images segment_digits(int of_each, seed s) {
  static constexpr const char* lit[]{"abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg"};
  backend::random_stream random(s.value, 0);
  digit_images all;
  for (std::size_t digit = 0; digit < 10; ++digit)
    for (int k = 0; k < of_each; ++k) {
      const auto from = [&](int least, std::uint32_t count) { return least + static_cast<int>(random.below(count)); };
      const int thick = from(2, 2), height = 2 * from(8, 3), width = from(9, 4), top = 14 - height / 2, left = 14 - width / 2, half = height / 2;
      const float ink = static_cast<float>(from(7, 4)) / 10;
      pixels image(digit_side * digit_side);
      struct bar {
        int y, x, high, wide;
      };
      const int bottom = top + height - thick, right = left + width - thick;
      const bar bars[]{{top, left, thick, width},         {top, right, half, thick}, {top + half, right, half, thick}, {bottom, left, thick, width},
                       {top + half, left, half, thick}, {top, left, half, thick},  {top + half, left, thick, width}};  // a to g
      for (const char segment : std::string(lit[digit])) {
        const bar& one = bars[segment - 'a'];
        for (int y = one.y; y < one.y + one.high; ++y)
          for (int x = one.x; x < one.x + one.wide; ++x) image[static_cast<std::size_t>(y * digit_side + x)] = ink;
      }
      all[digit].push_back(image);
    }
  return all;
}

// --- words ------------------------------------------------------------------------------------------------------------------------------------
constexpr int start = 0, end = 1, known_words = 24, longest = 28;  // four digits of six words, two commas, "and", the end

inline const vocabulary& caption_words() {
  static const vocabulary known(word_counts(), {.specials = words_of("<s> </s> a an zero one two three four five six seven eight nine at in the "
                                                                     "top bottom left right middle and ,")});
  return known;
}
inline std::vector<std::vector<int>> encoded_captions(const std::vector<scene>& scenes) {
  std::vector<std::vector<int>> all;
  for (const scene& one : scenes) {
    all.push_back(caption_words().encode(words_of(caption_of(one))));
    all.back().push_back(end);
  }
  return all;
}
// Rows of a training or a validation; `pictures` is their column "picture".
auto with_captions(const std::vector<scene>& scenes, const auto& pictures) {
  const auto target = encoded_captions(scenes);
  return data_set(pictures, column<"word">(decoding::shifted_right(target, start)), column<"target">(target));
}

// --- the network ------------------------------------------------------------------------------------------------------------------------------
constexpr int seen_features = 64, remembered = 128, lines = side / 8, places = lines * lines;  // each place is 8 x 8 pixels

// The decoder of Xu et al. 2015, "Show, attend and tell", sections 3.1.2 and 4.2: before each word, weights of the places from the state; the
// context is their weighted mean, times a gate beta; an LSTM reads it beside the word before. It emits state, context and weights.
struct attending_lstm : equations::symbols {
  static constexpr init::start starts[]{{"v", init::normal(0, 0.5)}};  // from smaller numbers it learns later where to look

  static constexpr auto step(auto y, auto h, auto c, auto grid) {
    const auto alpha = softmax(matrix<"v", 1>(tanh(W<"a", 64>(h) + U<"a", 64>(grid) + b<"a">)), along(grid));
    const auto z = sigmoid(matrix<"beta", 1>(h) + vector<"beta_bias">) * sum(alpha * grid, along(grid));
    const auto gate = [&](auto of_word, auto of_state, auto of_context, auto bias) { return of_word(y) + of_state(h) + of_context(z) + bias; };
    const auto i = sigmoid(gate(W<"i">, U<"i">, V<"i">, b<"i">)), f = sigmoid(gate(W<"f">, U<"f">, V<"f">, b<"f">));
    const auto o = sigmoid(gate(W<"o">, U<"o">, V<"o">, b<"o">)), g = tanh(gate(W<"g">, U<"g">, V<"g">, b<"g">));
    const auto next_c = f * c + i * g, next_h = o * tanh(next_c);
    return next(next_h, next_c).emitting(concat(next_h, z, as_features(alpha, along(grid))));
  }
};
struct state_and_context {
  static constexpr auto at(auto found) { return slice<0, remembered + seen_features>(found); }
};
struct weights_of_places {
  static constexpr auto at(auto found) { return slice<remembered + seen_features, places>(found); }
};
struct scores_of_words : equations::symbols {  // equation 7
  static constexpr auto at(auto y, auto found) { return W<"o", known_words>(y + matrix<"found">(found)) + b<"o">; }
};
template <int Channels>
using strokes = chain<conv2d<Channels, 3, 3, padding<1>, initialized<"weight", init::kaiming_normal()>>, activation::relu>;
using network = graph<"captions",
    input<"picture", features<1>, grid<side, side>>,
    input<"word",    token<known_words>, steps<longest, "caption">>,
    node<"strokes",  chain<strokes<16>, max_pool2d<2, 2>>,                     "picture">,
    node<"parts",    chain<strokes<32>, max_pool2d<2, 2>>,                     "strokes">,
    node<"shapes",   chain<strokes<64>, max_pool2d<2, 2>>,                     "parts">,
    node<"grid",     chain<strokes<seen_features>, layer_norm, learned_positions<places, initialized<"weight", init::normal(0, 0.5)>>>, "shapes">,
    node<"mean",     mean_over<>,                                              "grid">,
    node<"h_0",      chain<linear<remembered>, activation::tanh>,              "mean">,
    node<"c_0",      chain<linear<remembered>, activation::tanh>,              "mean">,
    node<"before",   embedding<known_words, 32>,                               "word">,
    node<"decoder",  recurrent<attending_lstm, hidden<remembered>>,            "before", "h_0", "c_0", "grid">,
    node<"found",    state_and_context,                                        "decoder">,
    node<"weights",  weights_of_places,                                        "decoder">,
    node<"logits",   scores_of_words,                                          "before", "found">,
    output<"logits">, output<"weights">>;
using training = trainer<network, losses::cross_entropy<"logits">, optimizers::adam, batch<16>>;

// --- captions that it writes --------------------------------------------------------------------------------------------------------------------
struct caption {
  std::vector<std::string> words;
  std::vector<pixels> weights;  // of each word, and of the end, for each place
  std::string text() const {
    std::string all;
    for (const std::string& word : words) all += all.empty() ? word : ' ' + word;
    return all;
  }
};
// The likeliest caption of each picture that a beam of this width finds; 1: the likeliest word at each step.
inline std::vector<caption> written_captions(const parameters<network>& theta, const std::vector<pixels>& pictures, int width) {
  streaming<network, batch<40>> live(theta);
  auto write = beam_search<"word", "logits", "weights">(live, {.width = width, .start = start, .end = end, .max_steps = longest});
  return predict(write, data_set(column<"picture">(pictures)), [](const auto& found, int row) {
    const auto best = found.best(row);
    caption one{caption_words().decode(best.tokens), {}};
    for (std::size_t t = 0; t < best.kept.shape(0); ++t) one.weights.emplace_back(&best.kept(t, 0), &best.kept(t, 0) + places);
    return one;
  });
}
struct caption_score {
  double words = 0, captions = 0;  // the share of words that are right at their place, a missing or a surplus word being wrong; of whole captions
};
inline caption_score score_of(const std::vector<caption>& written, const std::vector<scene>& scenes) {
  std::size_t right = 0, all = 0, whole = 0;
  for (std::size_t k = 0; k < written.size(); ++k) {
    const std::vector<std::string>&got = written[k].words, expected = words_of(caption_of(scenes[k]));
    for (std::size_t t = 0; t < std::min(got.size(), expected.size()); ++t) right += got[t] == expected[t];
    all += std::max(got.size(), expected.size());
    whole += got == expected;
  }
  return {static_cast<double>(right) / static_cast<double>(all), static_cast<double>(whole) / static_cast<double>(written.size())};
}

// --- a drawing of what it looked at -------------------------------------------------------------------------------------------------------------
// Each picture once for each word of its caption, and over it the weights of the word's places: the largest is the most opaque.
inline std::string attention_svg(const std::vector<pixels>& pictures, const std::vector<caption>& captions) {
  constexpr int pixel = 2, panel = side * pixel, place = panel / lines, gap = 10, in_line = 10, line_height = panel + 3 * gap;
  const auto height_of = [](const caption& one) { return line_height * ((static_cast<int>(one.weights.size()) + in_line - 1) / in_line) + gap; };
  int height = gap, top = gap;
  for (const caption& one : captions) height += height_of(one);
  detail::svg drawing(in_line * (panel + gap) + gap, height, 14);
  const auto gray_at = [](const pixels& picture, int p) { return static_cast<int>(9 * picture[static_cast<std::size_t>(p)] + 0.5f); };
  for (std::size_t k = 0; k < captions.size(); ++k) {
    for (std::size_t t = 0; t < captions[k].weights.size(); ++t) {
      const int n = static_cast<int>(t), left = gap + n % in_line * (panel + gap), upper = top + n / in_line * line_height + 2 * gap;
      drawing.text(left + panel / 2, upper - 5, "middle", t < captions[k].words.size() ? captions[k].words[t] : caption_words().word(end), "#222");
      drawing.rectangle(left, upper, panel, panel, "fill=\"black\"");
      for (int p = 0, same = 1; p < side * side; p += same, same = 1) {  // equal neighbours in a line are one rectangle
        const int gray = gray_at(pictures[k], p);
        while ((p + same) % side != 0 && gray_at(pictures[k], p + same) == gray) ++same;
        const std::string color(3, static_cast<char>('0' + gray));
        if (gray > 0) drawing.rectangle(left + p % side * pixel, upper + p / side * pixel, same * pixel, pixel, "fill=\"#" + color + "\"");
      }
      const pixels& weights = captions[k].weights[t];
      const float most = *std::max_element(weights.begin(), weights.end());
      for (int p = 0; p < places; ++p)
        if (const float share = weights[static_cast<std::size_t>(p)] / most; share > 0.02f)
          drawing.rectangle(left + p % lines * place, upper + p / lines * place, place, place,
                            "fill=\"#f60\" fill-opacity=\"" + detail::fixed(0.7 * static_cast<double>(share), 2) + "\"");
    }
    top += height_of(captions[k]);
  }
  return drawing.written();
}

}  // namespace digit_captions
