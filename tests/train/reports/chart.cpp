// A drawing: the positions of values on its axes, linear or logarithmic, values above the range, ticks, names and marks.
#include "tenon/train/reports/chart.hpp"

#include "support/drawing.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tenon::test {

constexpr int height = 362;  // the plot is from 22 to 322
std::string drawn(
    const detail::chart_axes& axes, const std::function<void(detail::chart&)>& parts = [](auto&) {}) {
  detail::svg drawing(detail::chart::width, height, detail::chart::font_size);
  detail::chart chart(drawing, 0, height, axes);
  parts(chart);
  return drawing.written();
}
auto line_of(std::vector<double> x, std::vector<double> y) {
  return [x, y](detail::chart& chart) { chart.line("a", "red", x, y); };
}
constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

TEST_CASE("a logarithmic axis has its decades at equal distances") {
  const std::string svg = drawn({.first = 1e-4, .last = 1e2, .highest = 8, .is_logarithmic = true},
                                line_of({1e-4, 1e-3, 1e-1, 1e2}, {0, 2, 4, 8}));
  const auto p = points(svg, 0);
  REQUIRE(p.size() == 4);
  const double decade = (p[3].first - p[0].first) / 6;
  CHECK(p[1].first == doctest::Approx(p[0].first + decade).epsilon(1e-3));
  CHECK(p[2].first == doctest::Approx(p[0].first + 3 * decade).epsilon(1e-3));
  CHECK(p[1].second == doctest::Approx(p[0].second + 0.25 * (p[3].second - p[0].second)).epsilon(1e-3));
  CHECK(p[3].second < p[0].second);  // y points down
  for (const char* tick : {">0.0001<", ">0.001<", ">0.01<", ">0.1<", ">10<", ">100<"})
    CHECK(count(svg, tick) == 1);
  const std::string narrow = drawn({.first = 0.012, .last = 0.3, .is_logarithmic = true});
  for (const char* tick : {">0.02<", ">0.05<", ">0.1<", ">0.2<"}) CHECK(count(narrow, tick) >= 1);
}
TEST_CASE("a line beyond the axis is cut off where it leaves the plot, and goes on where it comes back") {
  const std::string svg =
      drawn({.first = 1, .last = 6, .highest = 2}, line_of({1, 2, 3, 4, 5, 6}, {1, 3, 4, 1, 1, -1}));
  const auto out = points(svg, 0), back = points(svg, 1);
  CHECK(count(svg, "<polyline") == 2);
  using list = std::vector<std::pair<double, double>>;
  CHECK(out == list{{70, 172}, {120, 22}});
  CHECK(back == list{{336.7, 22}, {370, 172}, {470, 172}, {520, 322}});
  const std::string across = drawn({.first = 1, .last = 2, .highest = 1}, line_of({1, 2}, {-1, 2}));
  CHECK(points(across, 0) == list{{236.7, 322}, {403.3, 22}});
  CHECK(count(drawn({.first = 1, .last = 2, .highest = 1}, line_of({1, 2}, {5, 1e300})), "<polyline") == 0);
}
TEST_CASE("a value that is not finite has no point, a single one is a dot") {
  const std::string svg =
      drawn({.first = 1, .last = 4, .highest = 2}, line_of({1, 2, 3, 4}, {2, nan, 1, inf}));
  CHECK(points(svg, 0).size() == 2);
  const std::string one = drawn({.first = 5, .last = 5, .highest = 1}, line_of({5}, {1}));
  CHECK(points(one, 0).size() == 2);
  CHECK(points(one, 0)[0] == points(one, 0)[1]);
  CHECK(count(one, "stroke-width=\"6\" stroke-linecap=\"round\"") == 1);
  CHECK(count(one, ">5<") == 1);
}
TEST_CASE(
    "lines have names beside the plot, each with a sample; a mark's label is above the plot, axes have "
    "titles") {
  const std::string svg =
      drawn({.below = "time", .beside = "a & b", .first = 1, .last = 3}, [](detail::chart& chart) {
        chart.mark(2, "here");
        chart.mark(1, "left");
        chart.mark(3, "right");
        chart.line("first", "red", {1, 2, 3}, {1, 0, 1});
        chart.line("second", "blue", {1, 2, 3}, {0, 1, 0});
      });
  CHECK(is_well_formed(svg));
  CHECK(points(svg, 0)[1].first == 320);
  CHECK(count(svg, "<line x1=\"320.0\" y1=\"22.0\" x2=\"320.0\" y2=\"322.0\"") == 1);
  CHECK(count(svg, "<text x=\"320.0\" y=\"16.0\" text-anchor=\"middle\" fill=\"#222\">here</text>") == 1);
  CHECK(count(svg, "text-anchor=\"start\" fill=\"#222\">left<") == 1);
  CHECK(count(svg, "text-anchor=\"end\" fill=\"#222\">right<") == 1);
  CHECK(count(svg,
              "y1=\"28.0\" x2=\"610.0\" y2=\"28.0\" stroke-width=\"2\" stroke-linecap=\"round\" "
              "stroke=\"red\"") == 1);
  CHECK(count(svg, "y=\"32.0\" text-anchor=\"start\" fill=\"#222\">first<") == 1);
  CHECK(count(svg, "y=\"50.0\" text-anchor=\"start\" fill=\"#222\">second<") == 1);
  CHECK(count(svg, ">time<") == 1);
  CHECK(count(svg, "transform=\"rotate(-90 16.0 172.0)\">a &amp; b<") == 1);
}

using texts = std::vector<std::string>;
texts ticks(const detail::chart_axes& axes, const std::string& anchor) {
  const std::string svg = drawn(axes), begin = "text-anchor=\"" + anchor + "\" fill=\"#222\">";
  texts all;
  for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at)) {
    at = svg.find('>', at) + 1;
    if (svg[at] != '<') all.push_back(svg.substr(at, svg.find('<', at) - at));
  }
  return all;
}
TEST_CASE("the vertical axis has round numbers, some five of them, and goes to the next ones") {
  const auto vertical = [](double highest, double lowest = 0) {
    return ticks({.lowest = lowest, .highest = highest}, "end");
  };
  CHECK(vertical(0.793) == texts{"0", "0.2", "0.4", "0.6", "0.8"});
  CHECK(vertical(1) == texts{"0", "0.2", "0.4", "0.6", "0.8", "1"});
  CHECK(vertical(2.31) == texts{"0", "0.5", "1", "1.5", "2", "2.5"});
  CHECK(vertical(9.5e-4) == texts{"0", "0.0002", "0.0004", "0.0006", "0.0008", "0.001"});
  CHECK(vertical(137) == texts{"0", "50", "100", "150"});
  CHECK(vertical(0.3, -0.55) == texts{"-0.6", "-0.4", "-0.2", "0", "0.2", "0.4"});
  CHECK(vertical(0, -1) == texts{"-1", "-0.8", "-0.6", "-0.4", "-0.2", "0"});
  CHECK(vertical(0.953, 0.912) == texts{"0.91", "0.92", "0.93", "0.94", "0.95", "0.96"});
  CHECK(vertical(0) == texts{"0", "0.2"});
  CHECK(vertical(0.5, 0.5) == texts{"0.5", "0.5005"});  // a metric that never changes
  CHECK(vertical(5e7) == texts{"0", "1e+07", "2e+07", "3e+07", "4e+07", "5e+07"});
}
TEST_CASE("the ticks of a horizontal axis are whole numbers") {
  const auto horizontal = [](double last) { return ticks({.first = 1, .last = last}, "middle"); };
  CHECK(ticks({.first = 0, .last = 2}, "middle") == texts{"0", "1", "2"});
  CHECK(horizontal(1) == texts{"1"});
  CHECK(horizontal(3) == texts{"1", "2", "3"});
  CHECK(horizontal(14) == texts{"2", "4", "6", "8", "10", "12", "14"});
  CHECK(horizontal(40) == texts{"5", "10", "15", "20", "25", "30", "35", "40"});
  CHECK(horizontal(1000) == texts{"100", "200", "300", "400", "500", "600", "700", "800", "900", "1000"});
}
TEST_CASE(
    "a logarithmic axis has every 1, 2 and 5 from its first value to its last, or over two decades every 1") {
  const texts all{"0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50", "100"};
  for (std::size_t first = 0; first < all.size(); ++first)
    for (std::size_t last = first; last < all.size(); ++last)
      for (const double beyond : {0.0, 0.1}) {  // the axis ends at its outer ticks, or a tenth beyond them
        const bool is_wide = last - first >= 6;
        if (last - first == 5 && beyond > 0) continue;  // a tenth beyond may be over two decades
        texts expected;
        for (std::size_t k = first; k <= last; ++k)
          if (!is_wide || all[k].find_first_of("25") == std::string::npos) expected.push_back(all[k]);
        CAPTURE(all[first]);
        CAPTURE(all[last]);
        CHECK(ticks({.first = std::stod(all[first]) / (1 + beyond),
                     .last = std::stod(all[last]) * (1 + beyond),
                     .is_logarithmic = true},
                    "middle") == expected);
      }
}

}  // namespace tenon::test
