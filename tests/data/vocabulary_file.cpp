// A vocabulary's file: the text as the header describes it, written by hand, and the vocabulary read from it. vocabulary.cpp tests other
// mistakes in a file.
#include "support/temporary_file.hpp"
#include <tenon/data/vocabulary_file.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

using namespace tenon::detail;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
const std::string by_hand =
    "tenon vocabulary 1\tsize 3\tunknown <unk>\n<unk>\t0\nhat\t12\n\\t\\n\\r\\0\\\\\t3\n";
const std::string all_escapes("\t\n\r\0\\", 5);

}  // namespace

TEST_CASE("words and counts are written in the order of their numbers, and five characters by two each") {
  word_table table;
  table.add("<unk>", 0);
  table.add("hat", 12);
  table.add(all_escapes, 3);
  const temporary_folder folder;
  const std::string path = folder.path + "/words.txt";
  write_vocabulary(path, table, 0);
  CHECK(text_of(path) == by_hand);
}
TEST_CASE("the same is read back") {
  const file_with file(by_hand);
  word_table table;
  std::optional<int> unknown;
  vocabulary_reader(file.path).read(table, unknown);
  CHECK(table.size() == 3);
  CHECK(unknown == 0);
  CHECK(table.word(1) == "hat");
  CHECK(table.count(1) == 12);
  CHECK(table.find(all_escapes) == 2);
}
TEST_CASE("a file of another number of words is refused, with its name and the line") {
  const file_with file("tenon vocabulary 1\tsize 2\nhat\t12\n");
  word_table table;
  std::optional<int> unknown;
  CHECK_THROWS_WITH_AS(vocabulary_reader(file.path).read(table, unknown),
                       (file.path + ":1: expected 2 words, as this line says, got 1").c_str(),
                       tenon::data_error);
}
