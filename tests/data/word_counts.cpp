#include "tenon/data/word_counts.hpp"

#include <doctest/doctest.h>

#include <concepts>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace tenon;

template <class Word>
using texts_of = std::vector<std::vector<Word>>;
static_assert(std::constructible_from<word_counts, texts_of<std::string>> &&
              std::constructible_from<word_counts, texts_of<std::string_view>>);
static_assert(!std::constructible_from<word_counts, texts_of<int>> &&
              !std::constructible_from<word_counts, texts_of<std::vector<std::string>>> &&
              !std::constructible_from<word_counts, std::vector<int>>);

TEST_CASE("only the rows at some positions are counted") {
  const std::vector<std::vector<std::string>> texts{{"a", "b"}, {"c"}, {"b", "b"}};
  const word_counts some(texts, {2, 0});
  CHECK(some.words() == std::vector<std::string>{"b", "a"});
  CHECK(some.counts() == std::vector<long>{3, 1});
  const std::vector<std::string> cities{"Bonn", "Oslo", "Bonn"};  // a row is a word
  CHECK(word_counts(cities, std::vector{0, 2}).words() == std::vector<std::string>{"Bonn"});
  CHECK_THROWS_WITH_AS(word_counts(texts, {3}), "word_counts: there is no row 3; there are 3", input_error);
  CHECK_THROWS_AS(word_counts(cities, {-1}), input_error);
}
TEST_CASE("words are counted in the order in which they came") {
  word_counts counts({"b", "a", "b"});
  counts.add("c", 5);
  counts.add_all({"a", ""});
  CHECK(counts.words() == std::vector<std::string>{"b", "a", "c", ""});
  CHECK(counts.counts() == std::vector<long>{2, 2, 5, 1});
  CHECK(counts.count("c") == 5);
  CHECK(counts.count("d") == 0);
  CHECK(word_counts{}.count("a") == 0);
  CHECK(counts.size() == 4);
  CHECK(counts.total() == 10);
  CHECK_THROWS_WITH_AS(counts.add("d", -1), "word_counts: expected 'd' at least 0 times, got -1",
                       input_error);
}
TEST_CASE("the words of several texts are counted as those of one") {
  const std::vector<std::vector<std::string>> texts{{"b", "a"}, {}, {"b"}};
  word_counts counts(texts);
  counts.add_all(std::vector<std::vector<std::string_view>>{{"c"}, {"a", "a"}});
  CHECK(counts.words() == std::vector<std::string>{"b", "a", "c"});
  CHECK(counts.counts() == std::vector<long>{2, 3, 1});
  CHECK(word_counts({"a", "b"}).total() == 2);  // words in braces are one text
}
template <class Counts>
concept counts_a_text = requires(Counts counts, std::string text) {
  Counts(text);
}
|| requires(Counts counts, std::string text) { counts.add_all(text); }
|| std::constructible_from<Counts, const char (&)[4]>;
TEST_CASE("words in braces or in an array are words, one text is none") {
  const std::string b = "b";
  const char* const in_array[] = {"a", "b", "a"};
  CHECK(word_counts({"a"}).words() == std::vector<std::string>{"a"});
  CHECK(word_counts({b}).words() == std::vector<std::string>{"b"});
  CHECK(word_counts({"a", b}).words() == std::vector<std::string>{"a", "b"});
  CHECK(word_counts(in_array).counts() == std::vector<long>{2, 1});
  CHECK_FALSE(counts_a_text<word_counts>);
}
TEST_CASE("many words are counted as a map counts them") {
  std::mt19937 random(3);
  std::map<std::string, long> expected;
  word_counts counts;
  for (int k = 0; k < 20000; ++k) {
    const std::string word = std::to_string(random() % 3000);
    ++expected[word];
    counts.add(word);
  }
  CHECK(counts.size() == static_cast<int>(expected.size()));
  for (const auto& [word, count] : expected) CHECK(counts.count(word) == count);
}
