// The page of examples/characters.cpp: the patterns of a text, which unit follows one, and a page in one self-contained file.
#include "../../examples/cell_page.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {

std::vector<std::string> one_by_one(const std::string& text) {
  std::vector<std::string> all;
  for (const char c : text) all.push_back(std::string(1, c));
  return all;
}
std::vector<double> values_of(const std::string& name, const std::string& text) {
  for (const cell_page::pattern& p : cell_page::patterns_of(one_by_one(text)))
    if (p.name == name) return p.values;
  FAIL("no pattern " << name);
  return {};
}
using numbers = std::vector<double>;

TEST_CASE("patterns are counted behind each character") {
  const std::string text = "  a \"B\"\n\n cd\n";
  CHECK(values_of("inside quotation marks", text) == numbers{0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(values_of("place in the line", text) == numbers{1, 2, 3, 4, 5, 6, 7, 0, 0, 1, 2, 3, 0});
  CHECK(values_of("indentation", text) == numbers{1, 2, 2, 2, 2, 2, 2, 0, 0, 1, 1, 1, 0});
  CHECK(values_of("place in the word", text) == numbers{0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0});
  CHECK(values_of("in capitals", text) == numbers{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(values_of("first line of a paragraph", text) == numbers{1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0});
}

TEST_CASE("a text that begins inside quotation marks") {
  CHECK(values_of("inside quotation marks", "a\" b \"c") == numbers{1, 0, 0, 0, 0, 1, 1});
  CHECK(values_of("inside quotation marks", "(\"a\")") == numbers{0, 1, 1, 0, 0});
}

// Three units: noise, the quotation marks turned round with noise, and nothing.
cell_page::states some_states(const std::vector<double>& is_quoted) {
  cell_page::states s{.units = 3};
  for (std::size_t k = 0; k < is_quoted.size(); ++k) {
    s.values.push_back(static_cast<float>(std::sin(double(k * k))));
    s.values.push_back(static_cast<float>(0.5 - is_quoted[k] + 0.1 * std::cos(double(7 * k))));
    s.values.push_back(0.25f);
  }
  return s;
}
double by_deviations(const numbers& x, const numbers& y) {
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for (double v : x) mean_x += v / double(x.size());
  for (double v : y) mean_y += v / double(y.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double a = x[k] - mean_x, b = y[k] - mean_y;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return xy / std::sqrt(xx * yy);
}
const std::string text = "ab \"cd\" <script> \\ \"e\"\nfg \"h";

TEST_CASE("the unit that follows a pattern is found, and its correlation is Pearson's") {
  const numbers quoted = values_of("inside quotation marks", text);
  const cell_page::states s = some_states(quoted);
  const auto ranked = cell_page::rank_units(s, one_by_one(text), 2);
  REQUIRE(ranked[0].pattern == "inside quotation marks");
  REQUIRE(ranked[0].best.size() == 2);
  CHECK(ranked[0].best[0].first == 1);
  CHECK(ranked[0].best[0].second < -0.9);
  for (const auto& [unit, c] : ranked[0].best) {
    numbers x;
    for (std::size_t k = 0; k < quoted.size(); ++k) x.push_back(static_cast<double>(s(k, unit)));
    CHECK(c == doctest::Approx(by_deviations(x, quoted)).epsilon(1e-9));
  }
  for (const auto& r : ranked) CHECK(r.pattern != "indentation");  // the text has none
  CHECK(cell_page::correlation(s, 2, cell_page::patterns_of(one_by_one(text))[0]) == 0);
}
TEST_CASE("the page is one file with the text and the states of all units") {
  const std::vector<std::string> characters = one_by_one(text);
  const cell_page::states s = some_states(values_of("inside quotation marks", text));
  const std::string page = cell_page::page("Cells", characters, s, cell_page::rank_units(s, characters), 20);
  for (const char* outside : {"http", "src=", "href", "import", "url("})
    CHECK(page.find(outside) == std::string::npos);
  CHECK(page.find("\"d\",\"\\u0022\",\" \",\"\\u003c\",\"s\"") !=
        std::string::npos);  // no <script> from the text
  const std::string head = "const states = \"";
  const std::string states = page.substr(page.find(head) + head.size(), 3 * 20 * 2 + 1);
  CHECK(states.back() == '"');
  CHECK(states.substr(2 * 20 * 2, 4) == "9f9f");  // unit 2: 127.5 + 127.5 / 4
  for (std::size_t k = 0; k < 20; ++k)
    CHECK(std::stoi(states.substr((20 + k) * 2, 2), nullptr, 16) / 127.5 - 1 ==
          doctest::Approx(static_cast<double>(s(k, 1))).epsilon(0.005));
}

}  // namespace tenon::test
