// The formats of word vectors, read from memory, against a reader of streams: one table of words in three formats, whole and in parts.
#include <tenon/io/word_vector_parser.hpp>

#include "support/plain_number.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {

using words = std::vector<std::pair<std::string, std::vector<float>>>;

words some() {
  words all;
  const char* const names[]{"the", "of", "\xC3\xA4hnlich", "x", "1979", "-", "e-mail", "New_York"};
  for (int w = 0; w < 8; ++w) {
    all.emplace_back(names[w], std::vector<float>());
    for (int k = 0; k < 3; ++k) all.back().second.push_back(float(w) * 0.5f - float(k) / 8);
  }
  return all;
}
std::string glove(const words& all) {
  std::ostringstream out;
  for (const auto& [word, numbers] : all) {
    out << word;
    for (float x : numbers) out << ' ' << x;
    out << '\n';
  }
  return out.str();
}
std::string text(const words& all) { return std::to_string(all.size()) + " 3\n" + glove(all); }
std::string binary(const words& all) {
  std::string file = std::to_string(all.size()) + " 3\n";
  for (const auto& [word, numbers] : all) {
    file += word + ' ';
    for (float x : numbers) file.append(reinterpret_cast<const char*>(&x), sizeof x);
    file += '\n';
  }
  return file;
}
enum class format { glove, text, binary };
io::word_vectors read(format which, const std::string& bytes, const io::word_vector_options& options = {}) {
  const std::string path = "vectors.txt";
  detail::word_vector_parser parser(path, bytes, options);
  return which == format::glove  ? parser.glove()
         : which == format::text ? parser.word2vec_text()
                                 : parser.word2vec_binary();
}
std::string file_of(format which, const words& all) {
  return which == format::glove ? glove(all) : which == format::text ? text(all) : binary(all);
}
// Reads the words and numbers with a stream.
words streamed(const std::string& lines) {
  words all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    all.emplace_back();
    fields >> all.back().first;
    for (float x; fields >> x;) all.back().second.push_back(x);
  }
  return all;
}
words list_of(const io::word_vectors& vectors) {
  words all;
  for (const std::string& word : vectors.words()) {
    all.emplace_back(word, std::vector<float>());
    const auto row = vectors.at(word);
    for (std::size_t k = 0; k < std::size_t(vectors.dimensions()); ++k)
      all.back().second.push_back(row.data()[k]);
  }
  return all;
}
std::string refusal(format which, const std::string& bytes, const io::word_vector_options& options = {}) {
  try {
    read(which, bytes, options);
  } catch (const std::exception& e) { return e.what(); }
  return "";
}
void has(const std::string& whole, const char* part) {
  INFO(whole);
  CHECK(whole.find(part) != std::string::npos);
}

TEST_CASE("one table in three formats") {
  CHECK(list_of(read(format::glove, glove(some()))) == streamed(glove(some())));
  for (const format which : {format::glove, format::text, format::binary}) {
    CHECK(list_of(read(which, file_of(which, some()))) == some());
    CHECK(list_of(read(which, (which == format::binary ? "" : "\xEF\xBB\xBF") + file_of(which, some()))) ==
          some());
  }
}

TEST_CASE("some of the words, and what is behind the last of them is not looked at") {
  for (const format which : {format::glove, format::text, format::binary}) {
    std::string file = file_of(which, some());
    words expected{some()[1], some()[3]};
    const std::vector<std::string> known{"x", "of"};
    CHECK(list_of(read(which, file, {.only = known})) == expected);
    CHECK(list_of(read(which, file, {.only = known, .max_words = 1})) == words{some()[1]});
    for (long most = 1; most <= 9; ++most) {
      words first = some();
      if (most < 8) first.resize(std::size_t(most));
      CHECK(list_of(read(which, file, {.max_words = most})) == first);
    }
    const std::size_t last = file.rfind("New_York");
    file.replace(last, 8, "of\nof of");  // once more, and no numbers
    CHECK(refusal(which, file) != "");
    CHECK(list_of(read(which, file, {.only = known})) == expected);
  }
}

TEST_CASE("words with blanks") {
  const std::string lines = "New York 1 2 3\n. . . 4 5 6\nx 7 8 9\n";
  const words expected{{"New York", {1, 2, 3}}, {". . .", {4, 5, 6}}, {"x", {7, 8, 9}}};
  CHECK(list_of(read(format::text, "3 3\n" + lines, {.spaces_in_words = true})) == expected);
  has(refusal(format::text, "3 3\n" + lines), "got 4; .spaces_in_words = true takes words with blanks");
}

TEST_CASE("numbers that a float does not hold") {
  const auto first = [](const std::string& number) {
    return read(format::glove, "x " + number + " 0\n").at("x").data()[0];
  };
  for (const char* number : {"1e-3", "-0.25", "3.4028234e38", "1.17549435e-38", "1e-40"})
    CHECK(first(number) == plain_number<float>(number));
  CHECK(first("1e-60") == 0);
  CHECK(first("-1e-400") == 0);
  for (const char* number : {"1e39", "-1e400", "nan", "inf", "0x10", "1,5", "1.5.2"})
    has(refusal(format::glove, std::string("x ") + number + " 0\n"),
        "expected finite numbers in the vector of 'x'");
}

TEST_CASE("files that are not what they say") {
  has(refusal(format::text, "8 3\n" + glove(some()).substr(0, 60)), "the file is not complete");
  has(refusal(format::text, "7 3\n" + glove(some())), "more bytes behind them");
  has(refusal(format::text, glove(some())), "a file without this line is GloVe's");
  has(refusal(format::glove, text(some())), "a file whose first line has two numbers is word2vec's");
  has(refusal(format::glove, "a 1 2 3\nb 1 2\n"), "expected 3 numbers behind 'b', as in line 1, got 2");
  has(refusal(format::glove, "a 1 2\na 1 2\n"), "expected each word once, got 'a' again");
  has(refusal(format::text, "2147483648 3\n"), "expected less than 2147483648 words");
  has(refusal(format::text, "1000000 300\nx 1\n"),
      "the file is not complete");  // before anything is allocated
  const std::string cut = binary(some());
  for (const std::size_t missing : {2U, 13U})
    has(refusal(format::binary, cut.substr(0, cut.size() - missing)), "the file is not complete");
  has(refusal(format::binary, cut.substr(0, cut.size() - 20)),
      "a blank behind 'Ne', got the end of the file");
  std::string not_finite = binary(some());
  const float wrong = INFINITY;
  std::memcpy(not_finite.data() + not_finite.find("of ") + 3 + sizeof wrong, &wrong, sizeof wrong);
  has(refusal(format::binary, not_finite), "in the vector of 'of', got inf as number 2");
  has(refusal(format::glove, glove(some()), {.max_words = -1}), "max_words of at least 0, got -1");
}

}  // namespace tenon::test
