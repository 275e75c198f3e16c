// Words, their numbers and counts, against a map and a list.
#include <tenon/io/word_table.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using tenon::detail::word_table;

namespace {

// Few letters, so that many words repeat. Some are empty, some have a zero byte, some are long.
std::string random_word(std::mt19937& random) {
  static constexpr char letters[]{'a', 'b', 'c', '\0'};
  std::string word(random() % 7 == 0 ? 0 : 1 + random() % 5, 'a');
  for (char& c : word) c = letters[random() % 4];
  if (random() % 50 == 0) word.append(300, 'z');
  return word;
}

}  // namespace

TEST_CASE("an empty table knows no word") {
  const word_table table;
  CHECK(table.size() == 0);
  CHECK(table.find("a") == -1);
  CHECK(table.find("") == -1);
  CHECK(table.count_of("a") == 0);
}

TEST_CASE("words are numbered as they come, and counted") {
  std::mt19937 random(1);
  word_table table;
  std::vector<std::string> expected;
  std::map<std::string, long> counts;
  for (int k = 0; k < 5000; ++k) {
    const std::string word = random_word(random);
    const long times = static_cast<long>(random() % 4);  // also 0: the word is in the table anyway
    if (counts.find(word) == counts.end()) expected.push_back(word);
    counts[word] += times;
    table.add(std::string_view(word), times);
    if (k % 97 != 0) continue;
    REQUIRE(table.size() == static_cast<int>(expected.size()));
    for (int number = 0; number < table.size(); ++number)
      REQUIRE(table.find(expected[static_cast<std::size_t>(number)]) == number);
  }
  REQUIRE(table.words() == expected);
  for (std::size_t n = 0; n < expected.size(); ++n) {
    CHECK(table.word(static_cast<int>(n)) == expected[n]);
    CHECK(table.count(static_cast<int>(n)) == counts[expected[n]]);
    CHECK(table.counts()[n] == counts[expected[n]]);
    CHECK(table.count_of(expected[n]) == counts[expected[n]]);
    CHECK(table.find(expected[n] + "!") == -1);
  }
}

TEST_CASE("a copy is a table of its own") {
  word_table table;
  table.add("one", 1);
  word_table copy = table;
  copy.add("two", 2);
  copy.add("one", 5);
  CHECK(table.size() == 1);
  CHECK(table.count_of("one") == 1);
  CHECK(table.find("two") == -1);
  CHECK(copy.find("two") == 1);
  CHECK(copy.count_of("one") == 6);
}
