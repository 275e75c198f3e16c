// The sentence of a problem, and which known word is the nearest to a wrong one.
#include <tenon/diagnostics/problem.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::ir;

namespace {

// By its definition: the fewest insertions, deletions and changes.
int edits(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return static_cast<int>(a.size() + b.size());
  if (a.back() == b.back()) return edits(a.substr(0, a.size() - 1), b.substr(0, b.size() - 1));
  return 1 + std::min({edits(a.substr(0, a.size() - 1), b), edits(a, b.substr(0, b.size() - 1)),
                       edits(a.substr(0, a.size() - 1), b.substr(0, b.size() - 1))});
}
std::string nearest_of(const std::string& wanted, const std::vector<std::string>& known) {
  nearest best{name(wanted.c_str())};
  for (const std::string& word : known) best.consider(name(word.c_str()));
  return std::string(best.suggestion("none").view());
}

static_assert(!problem{} && problem{.rule = "x"} && !problem{.fix = "y"});

}  // namespace

TEST_CASE("a sentence has the parts that there are, in one order") {
  for (int set = 0; set < 32; ++set) {
    problem p{.rule = "linear expects"};
    std::string expected = "linear expects";
    if (set & 1) {
      p.where = "logits";
      expected = "node 'logits': " + expected;
    }
    if (set & 2) {
      p.axis = "features";
      p.expected = 64;
      p.got = 128;
      expected += " 64 features, got 128";
    }
    if (set & 4) {
      p.source = "context";
      expected += " from 'context'";
    }
    if (set & 8) {
      p.fix = "write linear<128, 10>";
      expected += "; write linear<128, 10>";
    }
    if (set & 16) p.expected = set & 2 ? 1 : 5;  // said where sizes are compared, and then of one thing
    if ((set & 18) == 18) expected.replace(expected.find("64 features"), 11, "1 feature");
    CHECK(std::string(explain(p).view()) == expected);
  }
  CHECK(explain({.rule = "takes", .axis = "batch", .expected = 1, .got = 2}).view() ==
        "takes 1 batch, got 2");
}

TEST_CASE("the distance of two words is the fewest edits") {
  std::vector<std::string> words{""};
  for (std::size_t k = 0; words[k].size() < 4; ++k)
    for (const char c : {'a', 'b'}) words.push_back(words[k] + c);
  for (const std::string& a : words)
    for (const std::string& b : words) CHECK(nearest::edit_distance(a, b) == edits(a, b));
  CHECK(nearest::edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest word is suggested if it is near, the first of equals") {
  CHECK(nearest_of("logts", {"logits", "states"}) == "did you mean 'logits'?");
  CHECK(nearest_of("states.hn", {"states", "states.h_n", "states.final"}) == "did you mean 'states.h_n'?");
  CHECK(nearest_of("abcd", {"abce", "abcf"}) == "did you mean 'abce'?");
  CHECK(nearest_of("abcd", {"wxyz"}) == "none");
  CHECK(nearest_of("abcd", {}) == "none");
  // A word of two letters gets no suggestion and is never suggested: all words would be near.
  CHECK(nearest_of("ab", {"abc"}) == "none");
  CHECK(nearest_of("abc", {"ab"}) == "none");
  // A third of the letters, and one more, may differ.
  const std::string nine = "abcdefghi";
  CHECK(nearest_of(nine, {"XXXXefghi"}) == "did you mean 'XXXXefghi'?");
  CHECK(nearest_of(nine, {"XXXXXfghi"}) == "none");
}
