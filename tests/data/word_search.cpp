// Nearest words, analogies and the two usual lists, beside loops in double that look at every word.
#include "tenon/data/word_search.hpp"

#include "tenon/backend/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace tenon;

namespace {

// 53 words with vectors of 11 numbers, of lengths between 0.1 and 10.
io::word_vectors many_words() {
  io::word_vectors vectors(11);
  backend::random_stream random(5, 0);
  for (int w = 0; w < 53; ++w) {
    std::array<double, 11> numbers{};
    const double length = std::pow(10.0, w % 3 - 1);
    for (double& n : numbers) n = length * (static_cast<double>(random.below(2001)) / 1000 - 1);
    vectors.add("w" + std::to_string(w), numbers);
  }
  return vectors;
}
double exact_cosine(const std::vector<double>& x, const std::vector<double>& y) {
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += x[k] * y[k];
    xx += x[k] * x[k];
    yy += y[k] * y[k];
  }
  return xy / std::sqrt(xx * yy);
}
std::vector<double> numbers_of(const io::word_vectors& of, int word, bool unit = false) {
  const auto row = of.matrix()[word];
  std::vector<double> all(row.begin(), row.end());
  double squares = 0;
  for (const double n : all) squares += n * n;
  for (double& n : all) n /= unit ? std::sqrt(squares) : 1;
  return all;
}
// All words but `except`, the nearest first.
std::vector<std::pair<double, int>> ranking(const io::word_vectors& of, const std::vector<double>& direction,
                                            const std::vector<int>& except) {
  std::vector<std::pair<double, int>> all;
  for (int w = 0; w < of.size(); ++w)
    if (std::find(except.begin(), except.end(), w) == except.end())
      all.emplace_back(exact_cosine(direction, numbers_of(of, w)), w);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return all;
}
void check_same(const std::vector<io::near_word>& found,
                const std::vector<std::pair<double, int>>& expected) {
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(found[k].word == "w" + std::to_string(expected[k].second));
    CHECK(found[k].cosine == doctest::Approx(expected[k].first).epsilon(1e-5));
  }
}

struct text_file {
  std::string path;
  text_file(std::string name, const std::string& text) : path(std::move(name)) {
    std::ofstream(path) << text;
  }
  ~text_file() { std::remove(path.c_str()); }
};

// On a map: two pairs of countries and capitals, apart by the same step, and a word beside them.
io::word_vectors on_a_map() {
  io::word_vectors vectors(2);
  vectors.add("france", std::array{1.0, 0.0});
  vectors.add("paris", std::array{1.0, 1.0});
  vectors.add("italy", std::array{2.0, -0.4});
  vectors.add("rome", std::array{2.0, 1.3});
  vectors.add("cheese", std::array{-1.0, 0.2});
  return vectors;
}
template <class Error, class Act>
std::string message(Act act) {
  try {
    act();
  } catch (const Error& error) { return error.what(); }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("the nearest words, by cosine, whatever the lengths of the vectors") {
  const io::word_vectors vectors = many_words();
  const io::word_search search(vectors);
  CHECK(search.size() == 53);
  CHECK(search.dimensions() == 11);
  for (const int w : {0, 17, 52}) {
    const auto found = search.nearest("w" + std::to_string(w), 7);
    REQUIRE(found.size() == 7);
    check_same(found, ranking(vectors, numbers_of(vectors, w), {w}));
    CHECK(search.cosine("w3", "w" + std::to_string(w)) ==
          doctest::Approx(exact_cosine(numbers_of(vectors, 3), numbers_of(vectors, w))).epsilon(1e-5));
  }
  CHECK(search.nearest("w1").size() == 10);
  CHECK(search.nearest("w1", 1000).size() == 52);  // all others
  check_same(io::nearest(vectors, "w5", 3), ranking(vectors, numbers_of(vectors, 5), {5}));

  const std::vector<float> direction{1, -2, 3, 0, 0, 0.5f, 0, 0, 0, 0, 4};
  const auto found = search.nearest(view<const float>(direction.data(), {11}), 4, {"w2", "w40"});
  check_same(found, ranking(vectors, {direction.begin(), direction.end()}, {2, 40}));
}

TEST_CASE("an analogy is a direction from vectors of length 1, without its three words") {
  const io::word_vectors vectors = many_words();
  const io::word_search search(vectors);
  std::vector<double> direction = numbers_of(vectors, 9, true);
  const auto minus = numbers_of(vectors, 4, true), plus = numbers_of(vectors, 30, true);
  for (std::size_t k = 0; k < direction.size(); ++k) direction[k] += plus[k] - minus[k];
  const auto found = search.analogy("w4", "w9", "w30", 5);
  REQUIRE(found.size() == 5);
  check_same(found, ranking(vectors, direction, {4, 9, 30}));
  CHECK(io::word_search(on_a_map()).analogy("france", "paris", "italy")[0].word == "rome");
}

TEST_CASE("a vector of zeros is near to none") {
  io::word_vectors vectors(2);
  vectors.add("nothing", std::array{0, 0});
  vectors.add("up", std::array{0, 2});
  vectors.add("down", std::array{0, -3});
  const io::word_search search(vectors);
  CHECK(search.nearest("up", 2)[0].word == "nothing");  // 0 is more than -1
  CHECK(search.cosine("up", "nothing") == 0);
  CHECK(search.nearest("nothing", 1)[0].cosine == 0);
}

TEST_CASE("a list of analogies is answered section by section") {
  const io::word_search search(on_a_map());
  const text_file list("word_search_analogies.txt",
                       ": capital of a country\nFrance Paris Italy Rome\nfrance paris italy cheese\nfrance "
                       "paris spain madrid\n"
                       ": others\nparis france rome italy\n");
  const io::analogy_report report = search.answer_analogies(list.path, {.lowercase = true});
  REQUIRE(report.sections.size() == 2);
  CHECK(report.sections[0].section == "capital of a country");
  CHECK(report.sections[0].right == 1);
  CHECK(report.sections[0].asked == 2);
  CHECK(report.sections[0].left_out == 1);
  CHECK(report.sections[0].share() == 0.5);
  CHECK(report.sections[1].right == 1);
  CHECK(report.all.asked == 3);
  CHECK(report.all.right == 2);
  CHECK(report.all.left_out == 1);
  CHECK(search.answer_analogies(list.path).all.left_out == 2);  // "France" has no vector
}

// Every question that four words of the map can be, a section for each.
TEST_CASE("an analogy of a list is right if its fourth word is the nearest that is none of the three") {
  const io::word_vectors vectors = on_a_map();
  const io::word_search search(vectors);
  std::string text;
  std::vector<long> expected;
  for (const std::string& a : vectors.words())
    for (const std::string& b : vectors.words())
      for (const std::string& c : vectors.words())
        for (const std::string& d : vectors.words()) {
          text += ": one\n" + a + " " + b + " " + c + " " + d + "\n";
          std::vector<double> direction = numbers_of(vectors, *vectors.number(b), true);
          const auto minus = numbers_of(vectors, *vectors.number(a), true),
                     plus = numbers_of(vectors, *vectors.number(c), true);
          for (std::size_t k = 0; k < direction.size(); ++k) direction[k] += plus[k] - minus[k];
          const std::vector<int> given{*vectors.number(a), *vectors.number(b), *vectors.number(c)};
          expected.push_back(vectors.word(ranking(vectors, direction, given)[0].second) == d);
        }
  const text_file list("word_search_all_analogies.txt", text);
  const io::analogy_report report = search.answer_analogies(list.path);
  REQUIRE(report.sections.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(report.sections[k].right == expected[k]);
}

TEST_CASE("pairs of words that people have rated are ranked") {
  const io::word_search search(on_a_map());
  const text_file list("word_search_pairs.txt",
                       "# rated from 0 to 10\nfrance\titaly\t "
                       "9.5\nparis\tfrance\t7\nFrance\tcheese\t0.5\nparis\trome\t9\nparis\tlondon\t3\n");
  const io::similarity_report report = search.rank_similarities(list.path, {.lowercase = true});
  CHECK(report.pairs == 4);
  CHECK(report.left_out == 1);
  // By cosines: paris rome 0.976 (3rd by people), france italy 0.981, paris france 0.707, france cheese -0.98: the same order.
  CHECK(report.spearman == doctest::Approx(1));
}

TEST_CASE("the correlation of ranks that differ is 1 - 6 sum d^2 / (n (n^2 - 1)), as Spearman had it") {
  for (const int n : {2, 3, 4, 5}) {
    std::vector<double> x(static_cast<std::size_t>(n));
    std::iota(x.begin(), x.end(), 1.0);
    std::vector<double> y = x;
    do {
      double squares = 0;
      for (std::size_t k = 0; k < x.size(); ++k) squares += (x[k] - y[k]) * (x[k] - y[k]);
      CHECK(detail::rank_correlation(x, y) == doctest::Approx(1 - 6 * squares / (n * (n * n - 1))));
    } while (std::next_permutation(y.begin(), y.end()));
  }
}
TEST_CASE("equal numbers share the mean of their ranks") {
  // x: ranks 1, 2.5, 2.5, 4; y: ranks 4, 2, 3, 1. The correlation of the ranks themselves: -4.5 / sqrt(4.5 * 5).
  CHECK(detail::rank_correlation({1, 2, 2, 9}, {8, 3, 5, 0}) == doctest::Approx(-4.5 / std::sqrt(22.5)));
  CHECK(detail::rank_correlation({1, 2, 3}, {10, 200, 3000}) == doctest::Approx(1));
  CHECK(detail::rank_correlation({1, 2, 3}, {3, 2, 1}) == doctest::Approx(-1));
  CHECK(detail::rank_correlation({1, 1, 1}, {3, 2, 1}) == 0);
  CHECK(detail::rank_correlation({}, {}) == 0);
}

TEST_CASE("what is wrong is named with its place") {
  const io::word_search search(on_a_map());
  CHECK(message<std::out_of_range>([&] { search.nearest("london"); }) ==
        "word_search: 'london' is not among 5 words");
  CHECK(message<input_error>([&] { search.nearest("rome", 0); }) ==
        "nearest: expected a number of words from 1 on, got 0");
  const std::vector<float> three{1, 2, 3};
  CHECK(message<input_error>([&] { search.nearest(view<const float>(three.data(), {3}), 1); }) ==
        "nearest: expected a direction of 2 numbers, got a tensor of rank 1 and 3 numbers");
  io::word_vectors broken = on_a_map();
  broken.matrix()(3, 1) = std::nanf("");
  CHECK(message<input_error>([&] { io::word_search{broken}; }) ==
        "word_search: expected finite numbers in the vector of 'rome'");

  const text_file three_words("word_search_wrong.txt", ": a\nfrance paris italy rome\nfrance paris italy\n");
  CHECK(message<data_error>([&] { search.answer_analogies(three_words.path); }) ==
        "word_search_wrong.txt:3: expected four words, or ':' and the name of a section, got 3 words");
  const text_file no_number("word_search_wrong.tsv", "france\titaly\t9\nfrance\tparis\tnear\n");
  CHECK(message<data_error>([&] { search.rank_similarities(no_number.path); }) ==
        "word_search_wrong.tsv:2: expected a word, a tab, a word, a tab and a number, got "
        "'france\tparis\tnear'");
  const text_file nothing("word_search_nothing.txt", "# only a comment\n");
  CHECK(message<data_error>([&] { search.rank_similarities(nothing.path); }) ==
        "word_search_nothing.txt: expected pairs of words, got none");
}
