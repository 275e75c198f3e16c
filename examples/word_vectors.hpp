// The parts of word_vectors.cpp: four models, the text they are trained on, and the picture of what they learn.
#pragma once

#include <tenon/data.hpp>
#include <tenon/io.hpp>
#include <tenon/io/svg.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace word_vectors {

using namespace tenon;
using namespace tenon::nn;

inline constexpr int farthest = 5, most_negatives = 10;  // words on each side; drawn words

// Negative sampling (Mikolov et al. 2013): the first candidate is the word, the others are drawn.
struct skip_gram_loss {
  static constexpr auto at(auto context, auto candidates) {
    const auto score = dot(context, candidates), is_word = equal(position_of<"candidate">(candidates), 0);
    return sum<"context">(weighted_sum<"candidate">(softplus(score) - is_word * score, greater(position_of<"candidate">(candidates), -1)));
  }
};
struct bag_of_words_loss {
  static constexpr auto at(auto context, auto candidates) {
    const auto score = dot(mean<"context">(context), candidates), is_word = equal(position_of<"candidate">(candidates), 0);
    return sum<"candidate">(softplus(score) - is_word * score);
  }
};
template <class Loss, int Words, int Dimensions>
using sampled = graph<"word_vectors",
    input<"context",    token<Words>, steps<2 * farthest, "context">>,
    input<"candidates", token<Words>, steps<1 + most_negatives, "candidate">>,
    node<"vectors", embedding<Words, Dimensions, sparse, initialized<"weight", init::uniform(-0.5 / Dimensions, 0.5 / Dimensions)>>, "context">,
    node<"outside", embedding<Words, Dimensions, sparse, initialized<"weight", init::constant(0)>>, "candidates">,
    node<"loss",    Loss, "vectors", "outside">,
    output<"loss">>;

// A softmax over all words, for small vocabularies (Mikolov et al. 2013, "Efficient estimation ..").
template <int Words, int Dimensions>
using skip_gram = graph<"skip_gram", input<"word", token<Words>>, node<"vectors", embedding<Words, Dimensions>, "word">,
                        node<"logits", linear<Words>, "vectors">, output<"logits">>;
struct mean_of_context {
  static constexpr auto at(auto context) { return mean<"context">(context); }
};
template <int Words, int Dimensions>
using bag_of_words = graph<"bag_of_words", input<"context", token<Words>, steps<2 * farthest, "context">>,
                           node<"vectors", embedding<Words, Dimensions>, "context">,
                           node<"logits", chain<mean_of_context, linear<Words>>, "vectors">, output<"logits">>;

// The rows of an epoch for these two: each word and one of its context, or a context and its word.
inline auto pairs_of(const word_windows::epoch& rows) {
  std::vector<int> word, near;
  for (int row = 0; row < rows.size(); ++row) {
    std::vector<int> candidates;
    rows.append_candidates(row, candidates);
    rows.append_context(row, near);
    word.resize(near.size(), candidates[0]);
  }
  return data_set(column<"word">(word), column<"target">(near));
}
inline auto contexts_of(const word_windows::epoch& rows) {
  std::vector<std::vector<int>> contexts(static_cast<std::size_t>(rows.size()));
  std::vector<int> word;
  for (int row = 0; row < rows.size(); ++row) {
    std::vector<int> candidates;
    rows.append_candidates(row, candidates);
    rows.append_context(row, contexts[static_cast<std::size_t>(row)]);
    word.push_back(candidates[0]);
  }
  return data_set(column<"context">(contexts), column<"target">(word));
}

// The words of each line in small letters, without <unk> and the marks of WikiText: = of headings, and @-@, @,@, @.@.
inline std::vector<std::vector<std::string>> read_sentences(const std::string& path) {
  std::vector<std::vector<std::string>> sentences;
  for (std::string line : io::read_lines(path)) {
    for (char& c : line)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    std::vector<std::string> words = words_of(line);
    std::erase_if(words, [](const std::string& word) { return word == "<unk>" || word == "=" || word.front() == '@'; });
    if (!words.empty()) sentences.push_back(std::move(words));
  }
  return sentences;
}
// The same as numbers, without the words that are not among the known ones.
inline std::vector<std::vector<int>> numbers_of(const std::vector<std::vector<std::string>>& sentences, const vocabulary& known) {
  std::vector<std::vector<int>> all;
  for (const std::vector<std::string>& sentence : sentences) {
    all.emplace_back();
    for (const std::string& word : sentence)
      if (const std::optional<int> number = known.number(word)) all.back().push_back(*number);
  }
  return all;
}
template <class Table>
io::word_vectors vectors_of(const vocabulary& known, const Table& table) {
  std::vector<std::string> words;
  for (int k = 0; k < known.size(); ++k) words.push_back(known.word(k));
  return io::word_vectors(words, table);
}

// Sentences about eight people, in which each of them occurs with words for its sex, its rank and its age.
inline std::vector<std::vector<std::string>> small_text(int count, seed s) {
  const char* const people[2][2][2] = {{{"man", "boy"}, {"king", "prince"}}, {{"woman", "girl"}, {"queen", "princess"}}};
  const std::vector<std::string> sex[2] = {{"he", "his", "beard"}, {"she", "her", "dress"}}, rank[2] = {{"house", "field", "village"}, {"palace", "crown", "throne"}},
                                 age[2] = {{"works", "drinks", "old"}, {"plays", "learns", "young"}};
  backend::random_stream random(s.value, 0);
  std::vector<std::vector<std::string>> sentences;
  for (int k = 0; k < count; ++k) {
    const std::uint32_t a = random.below(2), b = random.below(2), c = random.below(2);
    std::vector<std::string> words{sex[a][random.below(3)], rank[b][random.below(3)], age[c][random.below(3)]};
    for (std::uint32_t left = 3; left > 1; --left) std::swap(words[left - 1], words[random.below(left)]);
    words.insert(words.begin() + random.below(4), people[a][b][c]);
    sentences.push_back(words);
  }
  return sentences;
}

// Where each of these words is in the plane in which their vectors differ most: their two principal components [words, 2] (Pearson 1901),
// found by power iteration on the covariance.
inline std::vector<std::array<double, 2>> principal_plane(const io::word_vectors& vectors, const std::vector<std::string>& words) {
  const std::size_t size = static_cast<std::size_t>(vectors.dimensions());
  std::vector<std::vector<double>> rows(words.size(), std::vector<double>(size));
  for (std::size_t k = 0; k < size; ++k) {
    double mean = 0;
    for (std::size_t w = 0; w < words.size(); ++w) mean += (rows[w][k] = static_cast<double>(vectors.at(words[w])(static_cast<int>(k))));
    for (std::vector<double>& row : rows) row[k] -= mean / static_cast<double>(words.size());
  }
  const auto along = [&](const std::vector<double>& x, const std::vector<double>& y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); };
  std::vector<std::array<double, 2>> plane(words.size());
  for (std::size_t component = 0; component < 2; ++component) {
    std::vector<double> axis(size, 1);
    axis[component] = 2;
    for (int step = 0; step < 500; ++step) {
      std::vector<double> next(size);
      for (const std::vector<double>& row : rows)
        for (std::size_t k = 0; k < size; ++k) next[k] += along(row, axis) * row[k];
      const double length = std::sqrt(along(next, next));
      if (!(length > 0)) break;
      for (std::size_t k = 0; k < size; ++k) axis[k] = next[k] / length;
    }
    for (std::size_t w = 0; w < words.size(); ++w) {
      const double share = along(rows[w], axis);
      plane[w][component] = share;
      for (std::size_t k = 0; k < size; ++k) rows[w][k] -= share * axis[k];  // the second component is what is left
    }
  }
  return plane;
}
// That plane as a drawing (SVG).
inline std::string map_svg(const io::word_vectors& vectors, const std::vector<std::string>& words) {
  constexpr int width = 640, height = 480, margin = 60;
  const std::vector<std::array<double, 2>> plane = principal_plane(vectors, words);
  double most[2] = {1e-30, 1e-30};
  for (const std::array<double, 2>& at : plane)
    for (int c : {0, 1}) most[c] = std::max(most[c], std::abs(at[static_cast<std::size_t>(c)]));
  tenon::detail::svg drawing(width, height, 14);
  for (std::size_t w = 0; w < words.size(); ++w) {
    const double x = width / 2 + plane[w][0] / most[0] * (width / 2 - margin), y = height / 2 - plane[w][1] / most[1] * (height / 2 - margin);
    drawing.rectangle(x - 2, y - 2, 4, 4, "fill=\"#36c\"");
    drawing.text(x, y - 7, "middle", words[w], "#222");
  }
  return drawing.written();
}

}  // namespace word_vectors
