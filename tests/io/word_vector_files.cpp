// Files of word vectors: those of other writers, round trips, selections, and what is refused.
#include "tenon/io/word_vector_files.hpp"

#include "golden/golden.hpp"
#include "support/allocations.hpp"
#include "support/temporary_file.hpp"
#include "tenon/data/vocabulary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>

using namespace tenon;

namespace {

using list = std::vector<std::string>;
using reader = io::word_vectors(const std::string&, const io::word_vector_options&);

const std::string files = std::string(TENON_GOLDEN_DIR) + "/word_vectors/";

std::vector<float> numbers(const io::word_vectors& v) { return {v.matrix().begin(), v.matrix().end()}; }
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}
std::string text_of(const std::string& path) {
  std::ifstream from(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}
// A reader's error for a file with these bytes, without the file's name.
std::string error_of(reader* read, const std::string& bytes, const io::word_vector_options& options = {}) {
  const file_with f(bytes);
  try {
    read(f.path, options);
  } catch (const data_error& error) {
    const std::string message = error.what();
    CHECK(message.starts_with(f.path + ":"));
    return message.substr(f.path.size());
  }
  return "no error";
}
std::string bytes(std::initializer_list<float> numbers) {
  std::string all;
  for (const float x : numbers) {
    char raw[4];
    std::memcpy(raw, &x, 4);
    all.append(raw, 4);
  }
  return all;
}
const list golden_words{"</s>", "the", "na\u00efve", "\u8a9e", "don't", "1984", "<unk>"};

}  // namespace

TEST_CASE("files of the tool word2vec, of gensim and of GloVe are read to the bit") {
  const auto golden = golden::read("word_vectors");
  struct {
    reader* read;
    const char *name, *numbers;
  } const cases[] = {{io::read_word2vec_text, "tool.txt", "rounded"},
                     {io::read_word2vec_binary, "tool.bin", "exact"},
                     {io::read_word2vec_text, "gensim.txt", "exact"},
                     {io::read_word2vec_binary, "gensim.bin", "exact"},
                     {io::read_glove, "glove.txt", "rounded"}};
  for (const auto& c : cases) {
    CAPTURE(c.name);
    const io::word_vectors vectors = c.read(files + c.name, {});
    CHECK(vectors.words() == golden_words);
    CHECK(vectors.dimensions() == 5);
    CHECK(same_bits(numbers(vectors), golden[c.numbers].values));
  }
}
TEST_CASE("what is written is what gensim and the tool write, and is read back to the bit") {
  const io::word_vectors vectors = io::read_word2vec_binary(files + "gensim.bin");
  const file_with f("an older file");
  io::write_word2vec_binary(f.path, vectors);
  CHECK(text_of(f.path) == text_of(files + "tool.bin"));
  CHECK(same_bits(numbers(io::read_word2vec_binary(f.path)), numbers(vectors)));
  io::write_word2vec_text(f.path, vectors);
  CHECK(text_of(f.path).starts_with("7 5\n</s> -0.43234 -1.1300968 0.6738437 -1.1078146 2.0139155\nthe "));
  CHECK(same_bits(numbers(io::read_word2vec_text(f.path)), numbers(vectors)));
  io::write_glove(f.path, vectors);
  CHECK(text_of(f.path).starts_with("</s> -0.43234 -1.1300968 0.6738437 -1.1078146 2.0139155\nthe "));
  CHECK(same_bits(numbers(io::read_glove(f.path)), numbers(vectors)));
  CHECK(io::read_glove(f.path).words() == golden_words);
}
TEST_CASE("every finite float is read back to the bit from text") {
  std::mt19937 random(1);
  io::word_vectors vectors(100);
  for (int word = 0; word < 200; ++word) {
    std::vector<float> row;
    while (row.size() < 100)
      if (const float x = std::bit_cast<float>(static_cast<std::uint32_t>(random())); std::isfinite(x))
        row.push_back(x);
    vectors.add(std::to_string(word), row);
  }
  for (const std::uint32_t bits : {1u, 0x80000001u, 0x007FFFFFu, 0x00800000u, 0x7F7FFFFFu})
    vectors.matrix()(3, bits % 100) = std::bit_cast<float>(bits);  // the smallest and the largest
  const file_with f("numbers");
  io::write_word2vec_text(f.path, vectors);
  CHECK(same_bits(numbers(io::read_word2vec_text(f.path)), numbers(vectors)));
}
TEST_CASE("numbers beyond the small ones of a float are 0, beyond the large ones refused") {
  const file_with f("a 1e-60 -1e-400 1e-45 0.5\n");
  CHECK(numbers(io::read_glove(f.path)) == std::vector<float>{0, 0, 1e-45f, 0.5f});
  for (const char* number :
       {"1e60", "-1e60", "1e400", "inf", "nan", "0x10", "1.0.0", "1,5", "--1", "e5", "1e"})
    CHECK(error_of(io::read_glove, std::string("a 1\nb ") + number + "\n") ==
          std::string(":2: expected finite numbers in the vector of 'b', got '") + number + "'");
}
TEST_CASE("only chosen words are read, the first so many, and reading ends with the last of them") {
  const vocabulary known({"naïve", "1984", "newt"});
  const std::pair<reader*, const char*> formats[]{{io::read_word2vec_text, "gensim.txt"},
                                                  {io::read_word2vec_binary, "tool.bin"},
                                                  {io::read_glove, "glove.txt"}};
  for (const auto& [read, name] : formats) {
    const io::word_vectors all = read(files + name, {}), some = read(files + name, {.only = known}),
                           first = read(files + name, {.max_words = 3}),
                           one = read(files + name, {.only = list{"<unk>", "the"}, .max_words = 1});
    CHECK(some.words() == list{"naïve", "1984"});
    for (const std::string& word : some.words())
      CHECK(std::equal(some.at(word).begin(), some.at(word).end(), all.at(word).begin()));
    CHECK(first.words() == list{"</s>", "the", "naïve"});
    CHECK(one.words() == list{"the"});
    CHECK(read(files + name, {.only = list{}}).size() == 0);
    CHECK(read(files + name, {.max_words = 100}).size() == 7);
  }
  // Nothing after the last chosen word is read; words that are left out are not parsed.
  const file_with text("3 2\nx a b\ny 1 2\nz 3 what follows"),
      binary("3 2\nx " + bytes({NAN, 1}) + "y " + bytes({1, 2}) + "z what follows");
  for (const io::word_vectors& v : {io::read_word2vec_text(text.path, {.only = list{"y"}}),
                                    io::read_word2vec_binary(binary.path, {.only = list{"y"}})})
    CHECK(numbers(v) == std::vector<float>{1, 2});
  CHECK_THROWS_WITH_AS(io::read_glove(files + "glove.txt", {.max_words = -1}),
                       "word vectors: expected a max_words of at least 0, got -1", input_error);
}
TEST_CASE("blanks, tabs and line ends of either kind are no part of words and numbers") {
  const file_with text(
      "\xEF\xBB\xBF"
      "2 2 \r\na\t1  2 \r\nb 3\t 4\r\n"),
      glove(
          "\xEF\xBB\xBF"
          "a 1 2\r\nb 3 4 \r\n");
  for (const io::word_vectors& v : {io::read_word2vec_text(text.path), io::read_glove(glove.path)}) {
    CHECK(v.words() == list{"a", "b"});
    CHECK(numbers(v) == std::vector<float>{1, 2, 3, 4});
  }
  const file_with none("0 300\n");
  CHECK(io::read_word2vec_text(none.path).dimensions() == 300);
  CHECK(io::read_word2vec_binary(none.path).size() == 0);
}
TEST_CASE("words with blanks are read where they are asked for") {
  const std::string lines = "the 1 2\n. . . 3 4\nat name 5 6\n";
  CHECK(error_of(io::read_glove, lines) ==
        ":2: expected 2 numbers behind '.', as in line 1, got 4; .spaces_in_words = true takes words with "
        "blanks");
  const file_with f(lines);
  const io::word_vectors v = io::read_glove(f.path, {.spaces_in_words = true});
  CHECK(v.words() == list{"the", ". . .", "at name"});
  CHECK(numbers(v) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(error_of(io::read_glove, "the 1 2\n5\n", {.spaces_in_words = true}) ==
        ":2: expected a word and 2 numbers, got '5'");
}
TEST_CASE("a text that is none of word vectors is refused") {
  const auto error = [](const std::string& text) { return error_of(io::read_word2vec_text, text); };
  const std::string sizes =
                        ":1: expected the number of words and of dimensions, such as '3000000 300', got '",
                    glove = "'; a file without this line is GloVe's, which io::read_glove reads";
  CHECK(error("") == sizes + glove);
  CHECK(error("2\n") == sizes + "2" + glove);
  CHECK(error("2 -3\n") == sizes + "2 -3" + glove);
  CHECK(error("2 3 4\n") == sizes + "2 3 4" + glove);
  CHECK(error("2 3000000000000000000\n") == sizes + "2 3000000000000000000" + glove);
  CHECK(error(std::string(99, 'x')) == sizes + std::string(40, 'x') + "..." + glove);
  CHECK(error("2 0\n") == ":1: expected 1 to 16777216 dimensions, got 0");
  CHECK(error("2 16777217\n") == ":1: expected 1 to 16777216 dimensions, got 16777217");
  CHECK(error("2147483648 1\n") == ":1: expected less than 2147483648 words, got 2147483648");
  CHECK(error("2 2\na 1.5 2.5\nb 3\n") == ":3: expected 2 numbers behind 'b', as line 1 says, got 1");
  CHECK(error("1 2\na 1 2 3\n") ==
        ":2: expected 2 numbers behind 'a', as line 1 says, got 3; .spaces_in_words = true takes words with "
        "blanks");
  CHECK(error("1 2\na 1.5 2") ==
        ":2: expected a line break at the end of the file, got none; the file is not complete");
  CHECK(error("2 2\na 1.25 2.25\n") ==
        ":1: expected 2 words, as this line says, got 1; the file is not complete");
  CHECK(error("1 2\na 1 2\nb 3 4\n") ==
        ":1: expected 1 words, as this line says, got 6 more bytes behind them");
  CHECK(error("2 2\na 1 2\n\nb 3 4\n") == ":3: expected a word and 2 numbers, got ''");
  CHECK(error("1 2\n 1 2 3\n") == ":2: expected a word and 2 numbers, got ' 1 2 3'");
  CHECK(error("2 2\na 1 2\na 3 4\n") == ":3: expected each word once, got 'a' again");
  CHECK(error("1 1\n" + std::string("\0 1\n", 4)) ==
        ":2: expected text, got a zero byte; io::read_word2vec_binary reads word2vec's binary format");
  CHECK(error("9 9\na 1\n") ==
        ":1: expected 9 words of 9 numbers, as this line says, of 20 bytes at least each, got 4 bytes; the "
        "file is not complete");
}
TEST_CASE("a text of GloVe's is refused where a line differs from the first") {
  const auto error = [](const std::string& text) { return error_of(io::read_glove, text); };
  CHECK(error("") == ":1: expected a word and its numbers, got ''");
  CHECK(error("the\n") == ":1: expected a word and its numbers, got 'the'");
  CHECK(error("the 1 2\na 3\n") == ":2: expected 2 numbers behind 'a', as in line 1, got 1");
  CHECK(error("2 3\nthe 1 2 3\n") ==
        ":2: expected 1 numbers behind 'the', as in line 1, got 3; a file whose first line has two numbers "
        "is word2vec's, which io::read_word2vec_text reads");
  CHECK(error("the 1 2\nthe 3 4\n") == ":2: expected each word once, got 'the' again");
  CHECK(error("the 1 2\na 3 4") ==
        ":2: expected a line break at the end of the file, got none; the file is not complete");
}
TEST_CASE("a binary file is refused where it is not what its first line says") {
  const auto error = [](const std::string& text) { return error_of(io::read_word2vec_binary, text); };
  const std::string a = "a " + bytes({1, 2}), b = "b " + bytes({3, 4});
  CHECK(error("2 2\n" + a + b) == "no error");
  CHECK(error("2 2\n" + a + "\n\n" + b + "\n") == "no error");
  CHECK(error("2 2\n" + a + b.substr(0, 9)) ==
        ":1: expected 2 words of 2 numbers, as this line says, of 10 bytes at least each, got 19 bytes; the "
        "file is not complete");
  CHECK(error("2 2\nlonger" + a + b.substr(0, 9)) ==
        ": word 2: expected 8 bytes of numbers behind 'b', got 7; the file is not complete");
  CHECK(error("2 2\nlonger-word" + a) ==
        ":1: expected 2 words, as this line says, got 1; the file is not complete");
  CHECK(error("2 2\nlonger-word" + a + "b") ==
        ": word 2: expected a blank behind 'b', got the end of the file");
  CHECK(error("1 2\n" + a + b) == ":1: expected 1 words, as this line says, got 10 more bytes behind them");
  CHECK(error("2 2\n" + a + a) == ": word 2: expected each word once, got 'a' again");
  CHECK(error("1 2\n " + a) == ": word 1: expected a word before the blank, got none");
  CHECK(error("1 2\nx\n" + a) ==
        ": word 1: expected a word without a line break, got 'x\na'; io::read_word2vec_text reads the text "
        "format");
  CHECK(error("2 2\n" + a + "b " + bytes({3, NAN})) ==
        ": word 2: expected finite numbers in the vector of 'b', got nan as number 2");
  CHECK(error("1 2\na " + bytes({-INFINITY, 3})) ==
        ": word 1: expected finite numbers in the vector of 'a', got inf as number 1");
}
TEST_CASE("sizes that no file holds are refused before any memory is taken for them") {
  tenon::test::without_blocks_of(1 << 20, [] {
    for (const auto& read : {io::read_word2vec_text, io::read_word2vec_binary})
      CHECK(error_of(read, "2147483647 16777216\na 1\n")
                .starts_with(":1: expected 2147483647 words of 16777216 numbers, as this line says, of "));
  });
}
TEST_CASE("a directory and a missing file are named") {
  for (const auto& read : {io::read_word2vec_text, io::read_word2vec_binary, io::read_glove}) {
    CHECK_THROWS_WITH_AS(read("/", {}), "/: is a directory", data_error);
    CHECK_THROWS_WITH_AS(read("/no/vectors", {}), "/no/vectors: cannot be opened: No such file or directory",
                         data_error);
  }
}
TEST_CASE("what a format cannot hold is not written, and the file stays") {
  const file_with f("older");
  const auto of = [](const char* word, float number) {
    io::word_vectors v(1);
    v.add(word, std::array{number});
    return v;
  };
  const std::string blanks =
      f.path + ": expected words without blanks and line breaks, which end a word in this format, got '";
  for (const auto& write : {io::write_word2vec_text, io::write_word2vec_binary, io::write_glove}) {
    CHECK_THROWS_WITH_AS(write(f.path, of("a b", 1)), (blanks + "a b'").c_str(), data_error);
    CHECK_THROWS_WITH_AS(write(f.path, of("a\n", 1)), (blanks + "a\n'").c_str(), data_error);
    CHECK_THROWS_WITH_AS(write(f.path, of("a", NAN)),
                         (f.path + ": expected finite numbers in the vector of 'a', got nan").c_str(),
                         data_error);
    CHECK_THROWS_WITH_AS(write("/no/vectors", of("a", 1)),
                         "/no/vectors: cannot be written: No such file or directory", data_error);
  }
  CHECK_THROWS_AS(io::write_glove(f.path, of("a\t", 1)), data_error);
  CHECK(text_of(f.path) == "older");
}
