// A drawing: the positions of values on its axes, linear or logarithmic, and values above the range.
#include "tenon/train/reports/chart.hpp"

#include "support/drawing.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace tenon::test {

TEST_CASE("a logarithmic axis has its decades at equal distances") {
  detail::chart drawing(1e-4, 1e2, 8, true);
  drawing.line("a", "#123456", {1e-4, 1e-3, 1e-1, 1e2}, {0, 2, 4, 8});
  const auto p = points(drawing.written(), 0);
  REQUIRE(p.size() == 4);
  const double decade = (p[3].first - p[0].first) / 6;
  CHECK(p[1].first == doctest::Approx(p[0].first + decade).epsilon(1e-3));
  CHECK(p[2].first == doctest::Approx(p[0].first + 3 * decade).epsilon(1e-3));
  CHECK(p[1].second == doctest::Approx(p[0].second + 0.25 * (p[3].second - p[0].second)).epsilon(1e-3));
  CHECK(p[3].second < p[0].second);  // y points down
}
TEST_CASE("a value above the highest is drawn at it, one that is not finite nowhere") {
  detail::chart drawing(1, 4, 2);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  drawing.line("a", "red", {1, 2, 3, 4}, {2, 1e9, nan, inf});
  const auto p = points(drawing.written(), 0);
  REQUIRE(p.size() == 2);
  CHECK(p[0].second == p[1].second);
}
TEST_CASE("lines have names one below the other, labels and marks their places") {
  detail::chart drawing(1, 3, 1);
  drawing.label(2, "two");
  drawing.mark(2, "here");
  drawing.line("first", "red", {1, 2, 3}, {1, 0, 1});
  drawing.line("second", "blue", {1, 2, 3}, {0, 1, 0});
  const std::string svg = drawing.written();
  CHECK(is_well_formed(svg));
  CHECK(points(svg, 0)[1].first == 340);
  CHECK(count(svg, "<text x=\"340.0\" y=\"344.0\" text-anchor=\"middle\" fill=\"black\">two</text>") == 1);
  CHECK(count(svg, "<line x1=\"340.0\" y1=\"20.0\" x2=\"340.0\" y2=\"320.0\"") == 1);
  CHECK(count(svg, "y=\"32.0\" text-anchor=\"end\" fill=\"red\">first<") == 1);
  CHECK(count(svg, "y=\"48.0\" text-anchor=\"end\" fill=\"blue\">second<") == 1);
}
TEST_CASE("the vertical axis has round numbers, some five of them") {
  const auto ticks = [](double highest, double lowest = 0) {
    const std::string svg = detail::chart(1, 3, highest, false, lowest).written();
    std::vector<std::string> all;
    for (std::size_t at = svg.find("text-anchor=\"end\" fill=\"black\">"); at != std::string::npos;
         at = svg.find("text-anchor=\"end\" fill=\"black\">", at)) {
      at = svg.find('>', at) + 1;
      all.push_back(svg.substr(at, svg.find('<', at) - at));
    }
    return all;
  };
  using texts = std::vector<std::string>;
  CHECK(ticks(0.793) == texts{"0", "0.2", "0.4", "0.6"});
  CHECK(ticks(1) == texts{"0", "0.2", "0.4", "0.6", "0.8", "1"});
  CHECK(ticks(2.31) == texts{"0", "0.5", "1", "1.5", "2"});
  CHECK(ticks(9.5e-4) == texts{"0", "0.0002", "0.0004", "0.0006", "0.0008"});
  CHECK(ticks(137) == texts{"0", "50", "100"});
  CHECK(ticks(0.3, -0.55) == texts{"-0.4", "-0.2", "0", "0.2"});
  CHECK(ticks(0, -1) == texts{"-1", "-0.8", "-0.6", "-0.4", "-0.2", "0"});
  CHECK(ticks(std::numeric_limits<double>::denorm_min()) == texts{"0"});
  CHECK(ticks(5e7) == texts{"0", "1e+07", "2e+07", "3e+07", "4e+07", "5e+07"});
}
TEST_CASE("nothing drawn, and a single point, are drawings") {
  CHECK(is_well_formed(detail::chart(0, 0, 0).written()));
  detail::chart drawing(5, 5, 1, true);
  drawing.line("a", "red", {5}, {1});
  CHECK(points(drawing.written(), 0).size() == 1);
}

TEST_CASE("below 0 the vertical axis goes as far as it is told to") {
  detail::chart drawing(1, 4, 1, false, -3);
  drawing.line("a", "red", {1, 2, 3, 4}, {1, 0, -3, -9});
  const auto p = points(drawing.written(), 0);
  REQUIRE(p.size() == 4);
  CHECK(p[0].second == 20);
  CHECK(p[1].second == 95);
  CHECK(p[2].second == 320);
  CHECK(p[3].second == 320);
  detail::chart below(1, 2, -1, false, -2);  // the range always contains 0
  below.line("a", "red", {1, 2}, {0, -2});
  CHECK(points(below.written(), 0)[0].second == 20);
  CHECK(points(below.written(), 0)[1].second == 320);
}

}  // namespace tenon::test
