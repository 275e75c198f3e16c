#include "tenon/data/vocabulary.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <random>
#include <stdexcept>

using namespace tenon;

using list = std::vector<std::string>;

namespace {

list words_in(const vocabulary& v) { return {v.begin(), v.end()}; }

const word_counts& fruit() {
  static const word_counts counts({"fig", "pear", "fig", "<unk>", "apple", "pear", "fig", "kiwi", "apple"});
  return counts;
}

std::string text_of(const std::string& path) {
  std::ifstream from(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

std::string load_error(const std::string& text) {
  const file_with f(text);
  try {
    vocabulary::load(f.path);
  } catch (const data_error& error) {
    const std::string message = error.what();
    CHECK(message.starts_with(f.path + ":"));
    return message.substr(f.path.size());
  }
  return "no error";
}

}  // namespace

TEST_CASE("words are numbered in alphabetical order, each once") {
  const vocabulary v({"pear", "apple", "pear", "fig"});
  CHECK(v.size() == 3);
  CHECK(v.word(0) == "apple");
  CHECK(v.number("pear") == 2);
  for (int k = 0; k < v.size(); ++k) CHECK(v.number(v.word(k)) == k);
  CHECK(v.counts() == std::vector<long>{1, 1, 2});
  CHECK_FALSE(v.unknown().has_value());
}
TEST_CASE("the tags of several sentences are numbered as those of one") {
  const std::vector<std::vector<std::string>> tags{{"O", "B-name", "I-name"}, {}, {"B-name", "O"}};
  const vocabulary v(tags), same({"O", "B-name", "I-name", "B-name", "O"});
  CHECK(std::vector<std::string>(v.begin(), v.end()) == std::vector<std::string>(same.begin(), same.end()));
  CHECK(v.counts() == same.counts());
  CHECK(v.encode(tags)[2] == std::vector<int>{0, 2});
}
template <class Words>
concept takes_a_text = std::constructible_from<Words, std::string> || requires(Words words) {
  words.encode("a b");
} || requires(Words words) { words.decode(1); };
TEST_CASE("words in braces or in an array are words, one text is none") {
  const std::string b = "b";
  const std::string in_array[] = {"c", "a"};
  CHECK(vocabulary({b}).at("b") == 0);
  CHECK(vocabulary({"a", b}).size() == 2);
  CHECK(vocabulary(in_array).word(1) == "c");
  CHECK_FALSE(takes_a_text<vocabulary>);
}
TEST_CASE("an unknown word has no number, an unknown number no word") {
  const vocabulary v({"a"});
  CHECK_FALSE(v.number("b").has_value());
  CHECK(v.count("b") == 0);
  CHECK_THROWS_WITH_AS(v.word(1), "vocabulary: there is no word 1 among its 1 words", std::out_of_range);
  CHECK_THROWS_WITH_AS(v.word(-1), "vocabulary: there is no word -1 among its 1 words", std::out_of_range);
  CHECK_THROWS_WITH_AS(vocabulary{}.word(0), "vocabulary: there is no word 0 among its 0 words",
                       std::out_of_range);
}
TEST_CASE("specials come first, then words by falling count, then by the alphabet") {
  const vocabulary v(fruit(), {.specials = {"<pad>", "<unk>"}, .unknown = "<unk>"});
  CHECK(words_in(v) == list{"<pad>", "<unk>", "fig", "apple", "pear", "kiwi"});
  CHECK(v.counts() == std::vector<long>{0, 1, 3, 2, 2, 1});  // a special that occurs is counted
  CHECK(v.count("apple") == 2);
  CHECK(v.unknown() == 1);
  CHECK(words_in(vocabulary(fruit())) == list{"fig", "apple", "pear", "<unk>", "kiwi"});
}
TEST_CASE("a special that occurs is counted as often as it occurs, whichever number it has") {
  for (const list& specials : {list{"<unk>", "fig"}, list{"fig", "<unk>"}, list{"<pad>", "fig", "<unk>"}}) {
    const vocabulary v(fruit(), {.specials = specials, .unknown = "<unk>"});
    CHECK(v.count("fig") == 3);
    CHECK(v.count("<unk>") == 1);
    for (std::size_t k = 0; k < specials.size(); ++k) CHECK(v.word(static_cast<int>(k)) == specials[k]);
    CHECK(v.size() == static_cast<int>(specials.size()) + 3);
  }
}
TEST_CASE("rare words and those beyond the size are left out, specials never") {
  CHECK(words_in(vocabulary(fruit(), {.min_count = 2})) == list{"fig", "apple", "pear"});
  CHECK(words_in(vocabulary(fruit(), {.specials = {"<pad>"}, .min_count = 2})) ==
        list{"<pad>", "fig", "apple", "pear"});
  CHECK(words_in(vocabulary(fruit(), {.specials = {"<unk>"}, .max_size = 3})) ==
        list{"<unk>", "fig", "apple"});
  CHECK(words_in(vocabulary(fruit(), {.specials = {"<unk>"}, .max_size = 1})) == list{"<unk>"});
}
TEST_CASE("words become numbers and words again") {
  const vocabulary v(fruit(), {.specials = {"<unk>"}, .unknown = "<unk>"});
  CHECK(v.encode({"pear", "plum", "fig"}) == std::vector<int>{3, 0, 1});
  CHECK(v.decode(std::vector{3, 0, 1}) == list{"pear", "<unk>", "fig"});
  CHECK(v.text(std::vector{3, 0, 1}) == "pear <unk> fig");
  CHECK(v.text(std::vector{3, 1}, "") == "pearfig");
  CHECK(v.text(std::vector<int>{}) == "");
  const std::vector<list> texts{{"fig", "plum"}, {}, {"pear"}};
  CHECK(v.encode(texts) == std::vector<std::vector<int>>{{1, 0}, {}, {3}});
  const std::vector<std::vector<std::string_view>> seen{{"pear"}, {"fig"}};
  CHECK(v.encode(seen) == std::vector<std::vector<int>>{{3}, {1}});
  CHECK(v.at("plum") == 0);
  CHECK_THROWS_WITH_AS(v.decode(std::vector{7}), "vocabulary: there is no word 7 among its 5 words",
                       std::out_of_range);
}
TEST_CASE("without an unknown token, an unknown word is named with one like it") {
  const vocabulary v({"apple", "pear", "fig"});
  CHECK(v.at("fig") == 1);
  CHECK_THROWS_WITH_AS(
      v.encode({"fig", "aple"}),
      "vocabulary: 'aple' is not among its 3 words, and it has no unknown token; did you mean 'apple'?",
      std::out_of_range);
  CHECK_THROWS_WITH_AS(
      v.encode(std::vector<list>{{"fig"}, {"aple"}}),
      "vocabulary: 'aple' is not among its 3 words, and it has no unknown token; did you mean 'apple'?",
      std::out_of_range);
  CHECK_THROWS_WITH_AS(
      v.at("x"),
      "vocabulary: 'x' is not among its 3 words, and it has no unknown token; give it one with .unknown",
      std::out_of_range);
  CHECK_THROWS_AS(v.at(std::string(1000, 'x')), std::out_of_range);
}
TEST_CASE("options that contradict each other are refused") {
  const auto make = [](const io::vocabulary_options& options) { return vocabulary(fruit(), options); };
  CHECK_THROWS_WITH_AS(make({.specials = {"a", "b", "a"}}),
                       "vocabulary: expected each special once, got 'a' 2 times", input_error);
  CHECK_THROWS_WITH_AS(
      make({.specials = {"<unk>"}, .unknown = "<UNK>"}),
      "vocabulary: expected the unknown token among the specials, got '<UNK>'; add it to .specials",
      input_error);
  CHECK_THROWS_WITH_AS(make({.min_count = 0}), "vocabulary: expected a min_count of at least 1, got 0",
                       input_error);
  const std::string size = "vocabulary: expected a max_size of at least ";
  CHECK_THROWS_WITH_AS(make({.specials = {"a", "b"}, .max_size = 1}),
                       (size + "2, the number of specials, or 0 for no bound, got 1").c_str(), input_error);
  CHECK_THROWS_WITH_AS(make({.max_size = -1}),
                       (size + "0, the number of specials, or 0 for no bound, got -1").c_str(), input_error);
}
TEST_CASE("a saved vocabulary is a text") {
  const file_with f("an older file");
  vocabulary(fruit(), {.specials = {"<unk>"}, .unknown = "<unk>", .min_count = 2}).save(f.path);
  CHECK(text_of(f.path) ==
        "tenon vocabulary 1\tsize 4\tunknown <unk>\n<unk>\t1\nfig\t3\napple\t2\npear\t2\n");
  vocabulary({"b", "a\t\n\r\\z"}).save(f.path);
  CHECK(text_of(f.path) == "tenon vocabulary 1\tsize 2\na\\t\\n\\r\\\\z\t1\nb\t1\n");
}
TEST_CASE("a loaded vocabulary is the saved one") {
  std::mt19937 random(4);
  const file_with f("vocabulary");
  const std::string characters("ab\t\n\r\\\0tnr0\xC3\xA9\xEF\xBB\xBF \"", 19);
  for (int repetition = 0; repetition < 100; ++repetition) {
    word_counts counts;
    for (unsigned long words = random() % 30; words > 0; --words) {
      std::string word;
      for (unsigned long k = random() % 5; k > 0; --k) word += characters[random() % characters.size()];
      counts.add(word, static_cast<long>(random()) * static_cast<long>(random() % 1000));
    }
    io::vocabulary_options options;
    if (repetition % 2 == 0) options = {.specials = {"\t<pad>", "\\unk\n"}, .unknown = "\\unk\n"};
    const vocabulary v(counts, options);
    v.save(f.path);
    const vocabulary again = vocabulary::load(f.path);
    CHECK(words_in(again) == words_in(v));
    CHECK(again.counts() == v.counts());
    CHECK(again.unknown() == v.unknown());
    for (const std::string& word : v) CHECK(again.at(word) == v.at(word));
  }
}
TEST_CASE("what an editor does to the file does no harm") {
  const file_with f("\xEF\xBB\xBFtenon vocabulary 1\tsize 2\tunknown b\r\na\t3\r\nb\t0\r\n");
  const vocabulary v = vocabulary::load(f.path);
  CHECK(words_in(v) == list{"a", "b"});
  CHECK(v.unknown() == 1);
}
TEST_CASE("a file that is no vocabulary is refused") {
  CHECK(load_error("") == ":1: expected 'tenon vocabulary 1', got ''");
  CHECK(load_error("tenon vocabulary 2\tsize 0\n") ==
        ":1: expected 'tenon vocabulary 1', got 'tenon vocabulary 2'");
  CHECK(load_error(std::string(50, 'x')) ==
        ":1: expected 'tenon vocabulary 1', got '" + std::string(40, 'x') + "...'");
  CHECK(load_error("tenon vocabulary 1\n") == ":1: expected 'size' and a number, got ''");
  CHECK(load_error("tenon vocabulary 1\tsize -1\n") == ":1: expected 'size' and a number, got 'size -1'");
  CHECK(load_error("tenon vocabulary 1\tsize 0\tx\n") == ":1: expected 'unknown' and a word, got 'x'");
  const std::string two = "tenon vocabulary 1\tsize 2\n";
  CHECK(load_error(two + "a\t1\nb\n") == ":3: expected a word, a tab and its count, got 'b'");
  CHECK(load_error(two + "a\t1\n\n") == ":3: expected a word, a tab and its count, got ''");
  CHECK(load_error(two + "a\t1\t2\n") == ":2: expected a word, a tab and its count, got 'a\t1\t2'");
  CHECK(load_error(two + "a\t-1\n") == ":2: expected a word, a tab and its count, got 'a\t-1'");
  CHECK(load_error(two + "a\t1234567890123456789\n") ==
        ":2: expected a word, a tab and its count, got 'a\t1234567890123456789'");
  CHECK(load_error(two + "a\\x\t1\n") ==
        ":2: expected \\t, \\n, \\r, \\0 or \\\\ for each backslash, got 'a\\x'");
  CHECK(load_error(two + "a\\\t1\n") ==
        ":2: expected \\t, \\n, \\r, \\0 or \\\\ for each backslash, got 'a\\'");
  CHECK(load_error(two + "a\t1\na\t2\n") == ":3: expected each word once, got 'a', which is on line 2, too");
  CHECK(load_error(two + "a\t1\nb\t2") == ":3: expected a line break at the end of the file, got none");
  CHECK(load_error(two + "a\t1\n") == ":1: expected 2 words, as this line says, got 1");
  CHECK(load_error(two + "a\t1\nb\t1\nc\t1\n") == ":1: expected 2 words, as this line says, got 3");
  CHECK(load_error("tenon vocabulary 1\tsize 1\tunknown b\na\t1\n") ==
        ":1: expected an unknown token that is among the words, got 'b'");
  CHECK(load_error(two + std::string("a\0", 2)) == ":2: expected text in UTF-8 or ASCII, got a zero byte");
  CHECK_THROWS_WITH_AS(vocabulary::load("/"), "/: is a directory", data_error);
}
TEST_CASE("a vocabulary that cannot be saved leaves nothing behind") {
  const auto folder = std::filesystem::temp_directory_path() / "tenon_vocabulary_folder";
  std::filesystem::create_directories(folder / "taken" / "inner");
  const std::string taken = (folder / "taken").string(), nowhere = (folder / "no" / "words").string();
  CHECK_THROWS_WITH_AS(vocabulary({"a"}).save(taken), (taken + ": cannot be written: Is a directory").c_str(),
                       data_error);
  CHECK_THROWS_WITH_AS(vocabulary({"a"}).save(nowhere),
                       (nowhere + ": cannot be written: No such file or directory").c_str(), data_error);
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  std::filesystem::remove_all(folder);
}
