#include "tenon/data/vocabulary.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace tenon;

TEST_CASE("words are numbered in alphabetical order, each once") {
  const vocabulary v({"pear", "apple", "pear", "fig"});
  CHECK(v.size() == 3);
  CHECK(v.word(0) == "apple");
  CHECK(v.number("pear") == 2);
  for (int k = 0; k < v.size(); ++k) CHECK(v.number(v.word(k)) == k);
}
TEST_CASE("an unknown word has no number, an unknown number no word") {
  const vocabulary v({"a"});
  CHECK_FALSE(v.number("b").has_value());
  CHECK_THROWS_WITH_AS(v.word(1), "vocabulary: there is no word 1 among its 1 words", std::out_of_range);
  CHECK_THROWS_WITH_AS(v.word(-1), "vocabulary: there is no word -1 among its 1 words", std::out_of_range);
  CHECK_THROWS_WITH_AS(vocabulary{}.word(0), "vocabulary: there is no word 0 among its 0 words",
                       std::out_of_range);
}
