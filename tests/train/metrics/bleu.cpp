// BLEU against the sacrebleu package, on the sentences of golden/bleu.py, and against scores worked out by hand.
#include "tenon/train/metrics/bleu.hpp"

#include "support/decimal_comma.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#ifndef TENON_GOLDEN_DIR
#  define TENON_GOLDEN_DIR "tests/golden"
#endif

namespace tenon::test {

// "\n" in the golden file means a line break.
std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text.compare(k, 2, "\\n") == 0) {
      result += '\n';
      ++k;
    } else result += text[k];
  return result;
}

TEST_CASE("scores are those of sacrebleu") {
  std::ifstream file(TENON_GOLDEN_DIR "/bleu.txt");
  REQUIRE(file);
  metric::bleu score;
  std::string line, name, hypothesis;
  std::vector<std::string> references;
  bool has_hypothesis = false;
  int cases = 0;
  const auto add = [&] {
    if (!has_hypothesis) return;
    if (references.size() == 1) score.add(hypothesis, references[0]);
    else score.add(hypothesis, references);
    references.clear();
    has_hypothesis = false;
  };
  metric::bleu_report found;
  while (std::getline(file, line)) {
    const std::string kind = line.substr(0, line.find(' ')),
                      rest = line.size() > kind.size() ? line.substr(kind.size() + 1) : "";
    if (kind == "case") {
      std::istringstream words(rest);
      int lowercase = 0;
      std::string tokenize;
      words >> name >> lowercase >> tokenize;
      name = rest;
      score = metric::bleu({.lowercase = lowercase == 1, .tokenize = tokenize == "13a"});
      ++cases;
    } else if (kind == "h") {
      add();
      hypothesis = unescaped(rest);
      has_hypothesis = true;
    } else if (kind == "r") {
      references.push_back(unescaped(rest));
    } else if (kind == "score") {
      add();
      found = score.report();
      INFO(name);
      std::istringstream numbers(rest);
      double expected = 0, precision = 0, penalty = 0;
      long hypotheses = 0, wanted = 0;
      numbers >> expected;
      CHECK(std::abs(found.score - expected) < 1e-6);
      CHECK(score.value() == found.score);
      for (const double p : found.precisions) {
        numbers >> precision;
        CHECK(std::abs(p - precision) < 1e-6);
      }
      numbers >> penalty >> hypotheses >> wanted;
      CHECK(std::abs(found.brevity_penalty - penalty) < 1e-8);
      CHECK(found.hypothesis_length == hypotheses);
      CHECK(found.reference_length == wanted);
    } else if (kind == "text") {
      INFO(name);
      CHECK(found.text() == rest);
      const decimal_comma comma;
      CHECK(found.text() == rest);
    }
  }
  CHECK(cases == 80);
}

TEST_CASE("the score is of the whole corpus, whatever its segments") {
  metric::bleu score;
  CHECK(score.value() == 0);
  CHECK(score.name() == "BLEU");
  score.add("a b c d e", "a b c d f");  // 4 of 5, 3 of 4, 2 of 3, 1 of 2
  CHECK(score.value() ==
        doctest::Approx(100 * std::pow(4.0 / 5 * 3 / 4 * 2 / 3 * 1 / 2, 0.25)).epsilon(1e-12));
  score.add("x x x", "x y z w");  // 1 of 3, none of 2, none of 1; shorter than the reference
  const double precisions = 5.0 / 8 * 3 / 6 * 2 / 4 * 1 / 2;
  CHECK(score.value() ==
        doctest::Approx(100 * std::exp(1 - 9.0 / 8) * std::pow(precisions, 0.25)).epsilon(1e-12));
  score.reset();
  CHECK(score.report().hypothesis_length == 0);
  score.add("a b c d", "a b c d");
  CHECK(score.value() == doctest::Approx(100));
}

TEST_CASE(
    "white space at the end of a segment is left out, of whatever kind, before words are joined across "
    "lines") {
  for (const char* end : {"-", "-\n", "-\n ", "-\n \x1c ", "-\n\xC2\xA0", "-\n\xE2\x80\x83\n"}) {
    metric::bleu score;
    score.add(std::string("a b c hello") + end, "a b c hello-");
    CHECK(score.value() == doctest::Approx(100));
    score.reset();
    score.add(std::string("a b c hello") + end + "x", "a b c hello-");
    CHECK(score.value() < 99);
  }
}

TEST_CASE("bytes that are no UTF-8 are kept, and count by themselves") {
  metric::bleu score({.lowercase = true});
  score.add("caf\xe9 au lait ici", "CAF\xe9 AU LAIT ICI");
  CHECK(score.value() == doctest::Approx(100));
  score.add("\xc3", "\xa0");
  CHECK(score.report().matches[0] == 4);
  CHECK(score.report().hypothesis_length == 5);
}

}  // namespace tenon::test
