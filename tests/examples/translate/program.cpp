// The command-line options of the programs of examples/translate, and the files of programs that train several models.
#include "../../../examples/translate/program.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tenon::test {

translation::arguments parsed(std::vector<std::string> words) {
  words.insert(words.begin(), "translate");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  translation::arguments result;
  command_line::parse(static_cast<int>(pointers.size()), pointers.data(), translation::options_of(result));
  return result;
}

TEST_CASE("each option is taken by its name, and a wrong one is named") {
  const auto wanted = parsed(
      {"--data", "here", "--epochs", "3", "--beam", "4", "--eval", "a.de", "--threads", "2", "--seed", "7"});
  CHECK(wanted.data == "here");
  CHECK(wanted.eval == "a.de");
  CHECK(wanted.epochs == 3);
  CHECK(wanted.beam == 4);
  CHECK(wanted.threads == 2);
  CHECK(wanted.seed == 7);
  CHECK_THROWS_WITH_AS(parsed({"--epoch", "3"}), "unknown option --epoch; did you mean '--epochs'?",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(parsed({"--beam", "0"}),
                       "--beam: expected a whole number of at least 1, got '0'", std::invalid_argument);
  CHECK_THROWS_WITH_AS(parsed({"--epochs", "3x"}),
                       "--epochs: expected a whole number of at least 0, got '3x'", std::invalid_argument);
  CHECK_THROWS_WITH_AS(parsed({"--data"}), "--data needs a value", std::invalid_argument);
}

TEST_CASE("files of one of several models have its name before their extension") {
  const auto files = translation::files_of(
      parsed({"--checkpoint", "runs.1/run.ckpt", "--output", "words", "--data", "pairs.txt"}), "forced");
  CHECK(files.checkpoint == "runs.1/run.forced.ckpt");
  CHECK(files.output == "words.forced");
  CHECK(files.attention.empty());
  CHECK(files.data == "pairs.txt");
}

}  // namespace tenon::test
