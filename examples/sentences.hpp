// Sentences, as the networks of classify and slots read them: of each word four numbers, for the word itself, for its first and its last three
// letters and for its shape. Words that were seen only once are unknown; their beginnings, endings and shapes still tell something of them, and
// the network learns to use these because it forgets some of the words while it trains. A table of confusions and a page of attention.
#pragma once

#include <tenon/data.hpp>
#include <tenon/io.hpp>
#include <tenon/io/svg.hpp>
#include <tenon/train.hpp>

#include <tenon/tenon.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sentences {

using namespace tenon;
using namespace tenon::nn;

using sentence = std::vector<std::string>;  // words

// --- reading -------------------------------------------------------------------------------------------------------------------------------
constexpr int longest = 100, shapes = 6;

inline std::string in_lower_case(std::string word) {  // with 0 for every digit
  for (char& c : word) c = std::isdigit(static_cast<unsigned char>(c)) ? '0' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}
inline std::string beginning_of(const std::string& word) { return in_lower_case(word.substr(0, 3)); }
inline std::string ending_of(const std::string& word) { return in_lower_case(word.size() > 3 ? word.substr(word.size() - 3) : word); }
inline int shape_of(const std::string& word) {
  const auto is = [](int (*kind)(int)) { return [kind](char c) { return kind(static_cast<unsigned char>(c)) != 0; }; };
  const auto capitals = std::count_if(word.begin(), word.end(), is(std::isupper));
  if (std::any_of(word.begin(), word.end(), is(std::isdigit))) return 1;
  if (capitals > 1) return 2;
  if (capitals == 1) return 3;
  return std::any_of(word.begin(), word.end(), is(std::isalpha)) ? 4 : 5;
}
// Cuts off the words of a file's sentences for which the networks have no room, and says how many sentences that are.
inline void cut_off(std::vector<sentence>& all, const std::string& path) {
  long count = 0;
  for (sentence& one : all)
    if (one.size() > longest) {
      one.resize(longest);
      ++count;
    }
  if (count > 0) std::fprintf(stderr, "%s: %ld of %zu sentences are cut off after %d words\n", path.c_str(), count, all.size(), longest);
}
// f of each word.
template <class F>
auto of_each(const std::vector<sentence>& all, F f) {
  std::vector<std::vector<decltype(f(std::string()))>> made;
  for (const sentence& one : all) {
    made.emplace_back();
    for (const std::string& word : one) made.back().push_back(f(word));
  }
  return made;
}

// What is known of words: made of the sentences that are learnt from.
class speller {
 public:
  speller(const std::vector<sentence>& seen, int most)
      : words_(known(of_each(seen, in_lower_case), most)), beginnings_(known(of_each(seen, beginning_of), most)), endings_(known(of_each(seen, ending_of), most)) {}

  // The columns of sentences, and further ones.
  template <class... Columns>
  auto columns(const std::vector<sentence>& all, Columns... more) const {
    return data_set(column<"word">(words_.encode(of_each(all, in_lower_case))), column<"beginning">(beginnings_.encode(of_each(all, beginning_of))),
                    column<"ending">(endings_.encode(of_each(all, ending_of))), column<"shape">(of_each(all, shape_of)), std::move(more)...);
  }
  // The words as one text, by which a checkpoint knows its data.
  std::string text() const {
    std::string all;
    for (const std::string& word : words_) all += word + "\n";
    return all;
  }

 private:
  static vocabulary known(const std::vector<sentence>& seen, int most) {
    return vocabulary(word_counts(seen), {.specials = {"<unk>"}, .unknown = "<unk>", .min_count = 2, .max_size = most});
  }
  vocabulary words_, beginnings_, endings_;
};

// --- the parts of networks -----------------------------------------------------------------------------------------------------------------
struct sizes {
  int words;          // how many words, beginnings and endings there may be, the unknown one included
  int word, part;     // numbers of a word's vector, and of its beginning's and of its ending's
  int hidden;         // units of an LSTM in each direction
  int channels;       // of a convolution
};

// Some of the words are unknown while the network trains (Iyyer et al. 2015): their vectors are zeros, as that of the unknown word is.
template <auto Share>
struct forgetting_words {
  static constexpr auto at(auto x) { return (1 - bernoulli<Share>(x)) * x; }
};
template <int Rows, int Width>
using table = embedding<Rows, Width, padding_idx<0>, initialized<"weight", init::normal(0, 0.3)>>;

template <sizes S, class... Entries>
using of_words = graph<"of_words", input<"word", token<S.words>, steps<longest>>, input<"beginning", token<S.words>, steps<longest>>,
                       input<"ending", token<S.words>, steps<longest>>, input<"shape", token<shapes>, steps<longest>>, Entries...>;
template <sizes S, auto Forgotten, auto Dropped>
using spelled = of_words<S,
    node<"of_word",      chain<table<S.words, S.word>, forgetting_words<Forgotten>>,  "word">,
    node<"of_beginning", table<S.words, S.part>,                                      "beginning">,
    node<"of_ending",    table<S.words, S.part>,                                      "ending">,
    node<"of_shape",     table<shapes, 8>,                                            "shape">,
    node<"all",          concatenate,                                                 "of_word", "of_beginning", "of_ending", "of_shape">,
    node<"vectors",      dropout<Dropped>,                                            "all">,
    output<"vectors">>;

// --- what was learned ----------------------------------------------------------------------------------------------------------------------
// How often one class was taken for another: a table, or of many classes the most frequent confusions.
inline void print(const metric::confusion& counts, const vocabulary& classes) {
  constexpr int most_columns = 12, most_lines = 10;
  if (classes.size() <= most_columns) {
    std::printf("%-22s", "is \\ is taken for");
    for (const std::string& name : classes) std::printf(" %8.8s", name.c_str());
    for (int is = 0; is < classes.size(); ++is) {
      std::printf("\n%-22s", classes.word(is).c_str());
      for (int taken = 0; taken < classes.size(); ++taken) std::printf(" %8ld", counts.count(is, taken));
    }
    std::printf("\n");
    return;
  }
  struct confused {
    long times;
    int is, taken;
  };
  std::vector<confused> all;
  for (int is = 0; is < classes.size(); ++is)
    for (int taken = 0; taken < classes.size(); ++taken)
      if (is != taken && counts.count(is, taken) > 0) all.push_back({counts.count(is, taken), is, taken});
  std::sort(all.begin(), all.end(), [](const confused& a, const confused& b) { return std::tuple(-a.times, a.is, a.taken) < std::tuple(-b.times, b.is, b.taken); });
  all.resize(std::min<std::size_t>(all.size(), most_lines));
  for (const confused& one : all) std::printf("%5ld times %s was taken for %s\n", one.times, classes.word(one.is).c_str(), classes.word(one.taken).c_str());
}

// A sentence with the weight of each word, and what the network says of it and, if it is known, of each word.
struct attended {
  sentence words;
  std::vector<double> weights;
  std::string answer;
  sentence tags{};
};
// A self-contained HTML page: the more weight a word has, the darker it is.
inline std::string attention_page(const std::string& title, const std::vector<attended>& all) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
                     "</title>\n<style>body { font: 16px sans-serif; margin: 2em } span { display: inline-block; padding: .2em .4em; text-align: center }"
                     " small { display: block; color: #666 } b { display: inline-block; min-width: 12em }</style></head><body>\n<h1>" + title + "</h1>\n";
  for (const attended& one : all) {
    page += "<p><b>" + tenon::detail::xml_text(one.answer) + "</b>";
    for (std::size_t k = 0; k < one.words.size(); ++k) {
      const std::string weight = tenon::detail::fixed(one.weights[k], 3);
      page += " <span style=\"background: rgba(220,60,40," + weight + ")\" title=\"" + weight + "\">" + tenon::detail::xml_text(one.words[k]);
      if (!one.tags.empty()) page += "<small>" + (one.tags[k] == "O" ? "&nbsp;" : tenon::detail::xml_text(one.tags[k])) + "</small>";
      page += "</span>";
    }
    page += "</p>\n";
  }
  return page + "</body></html>\n";
}

}  // namespace sentences
