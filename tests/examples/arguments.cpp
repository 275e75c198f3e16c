// The options of examples: how they are declared, filled, explained and refused.
#include "../../examples/arguments.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

struct values {
  std::string data;
  int epochs = 20, top_k = 7, beam = 0;
  double share = 0.5;
  std::uint64_t seed = 1;
  std::vector<std::string> names;
  bool is_anew = false;

  std::vector<command_line::option> options() {
    return {{"--data", &data, "a folder"},          {"--epochs", &epochs, "how often all is read", 1},
            {"--top_k", &top_k, "of so many"},      {"--share", &share, "what is held out", 0, 1},
            {"--seed", &seed, "of the split"},      {"--beam", &beam, "without it all", 1},
            {"--anew", &is_anew, "from the start"}, {"NAME", &names, "what is asked"}};
  }
  bool parse(std::vector<std::string> words) {
    words.insert(words.begin(), "program");
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    return command_line::parse(static_cast<int>(pointers.size()), pointers.data(), options());
  }
};

std::string error_of(const std::vector<std::string>& words) {
  try {
    values().parse(words);
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "";
}

TEST_CASE("values follow their names, and other words are collected") {
  values v;
  CHECK_FALSE(v.parse({"Ada", "--data", "--here", "--epochs=3", "--share", "2.5e-1", "Bo", "--seed",
                       "18446744073709551615", "--epochs", "4"}));
  CHECK(v.data == "--here");
  CHECK(v.epochs == 4);
  CHECK(v.top_k == 7);
  CHECK(v.share == 0.25);
  CHECK(v.seed == 18446744073709551615u);
  CHECK(v.names == std::vector<std::string>{"Ada", "Bo"});
  CHECK_FALSE(values().parse({}));
}

TEST_CASE("a flag has no value") {
  values v;
  CHECK_FALSE(v.parse({"Ada"}));
  CHECK_FALSE(v.is_anew);
  CHECK_FALSE(v.parse({"--anew", "Bo"}));
  CHECK(v.is_anew);
  CHECK(v.names == std::vector<std::string>{"Ada", "Bo"});
  CHECK(error_of({"--anew=1"}) == "--anew has no value");
}

TEST_CASE("what does not fit is one line that names the option") {
  CHECK(error_of({"--epoch", "3"}) == "unknown option --epoch; did you mean '--epochs'?");
  CHECK(error_of({"--quiet"}) ==
        "unknown option --quiet; there are --data, --epochs, --top_k, --share, --seed, --beam, --anew");
  CHECK(error_of({"--data"}) == "--data needs a value");
  CHECK(error_of({"--epochs", "3x"}) == "--epochs: expected a whole number of at least 1, got '3x'");
  CHECK(error_of({"--epochs", "0"}) == "--epochs: expected a whole number of at least 1, got '0'");
  CHECK(error_of({"--epochs="}) == "--epochs: expected a whole number of at least 1, got ''");
  CHECK(error_of({"--epochs", "2.5"}) == "--epochs: expected a whole number of at least 1, got '2.5'");
  CHECK(error_of({"--top_k", "abc"}) == "--top_k: expected a whole number of at least 0, got 'abc'");
  CHECK(error_of({"--top_k", "9999999999"}) ==
        "--top_k: expected a whole number of at least 0 that fits its type, got '9999999999'");
  CHECK(error_of({"--seed", "-1"}) == "--seed: expected a whole number of at least 0, got '-1'");
  for (const std::string word : {"1.5", "-0.1", "nan", "inf", "0.5 ", "abc"})
    CHECK(error_of({"--share", word}) == "--share: expected a number from 0 to 1, got '" + word + "'");
}

TEST_CASE("--help explains each option with its default") {
  values v;
  CHECK(v.parse({"--help"}));
  CHECK(command_line::help("program: what it does", v.options()) ==
        "program: what it does\n\n"
        "  --data TEXT           a folder\n"
        "  --epochs N            how often all is read (20)\n"
        "  --top_k N             of so many (7)\n"
        "  --share X             what is held out (0.5)\n"
        "  --seed N              of the split (1)\n"
        "  --beam N              without it all\n"
        "  --anew                from the start\n"
        "  NAME ...              what is asked\n"
        "  --help                prints this\n");
}

TEST_CASE("the exit status tells success, help and mistakes") {
  int epochs = 3;
  const auto status = [&](std::vector<std::string> words, auto body) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    return command_line::program("program: what it does", static_cast<int>(words.size()), pointers.data(),
                                 {{"--epochs", &epochs, "how often", 1}}, body);
  };
  CHECK(status({"program", "--epochs", "5"}, [&] { return epochs; }) == 5);
  CHECK(status({"program", "--help"}, [] { return 1; }) == 0);
  CHECK(status({"program", "--epochs", "3x"}, [] { return 0; }) == 2);
  CHECK(status({"program"}, []() -> int { throw std::runtime_error("no such file"); }) == 2);
}

}  // namespace
