// Numbers between words as a drawing: words on both sides, a field for each number, a scale, heads beside each other, and mistakes.
#include "tenon/io/heat_map.hpp"

#include "support/drawing.hpp"
#include "tenon/tensor/view.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tenon::test {

using words = std::vector<std::string>;

TEST_CASE(
    "a field for each number, as dark as its share of the largest; words escaped on both sides, and a "
    "scale") {
  const std::string svg = io::heat_map_svg({{.title = "first & last",
                                             .rows = {"c&d"},
                                             .columns = {"a", "<b>"},
                                             .values = std::vector<std::vector<float>>{{0.25f, 0.5f}}}});
  CHECK(is_well_formed(svg));
  for (const char* part : {">first &amp; last<", ">c&amp;d<", ">a<", ">&lt;b&gt;<", ">0<", ">0.5<"})
    CHECK(count(svg, part) == 1);
  CHECK(count(svg,
              "width=\"22.0\" height=\"22.0\" stroke=\"#ddd\" fill=\"#10307a\" fill-opacity=\"0.500\"") == 1);
  CHECK(count(svg,
              "width=\"22.0\" height=\"22.0\" stroke=\"#ddd\" fill=\"#10307a\" fill-opacity=\"1.000\"") == 1);
  CHECK(count(svg, "http") == 1);  // no external resources
}
TEST_CASE("a view may have strides, and padding beyond the words, which is not drawn") {
  const std::vector<float> numbers{0.5f, 0.1f, 9, 0.25f, 0.2f, 9, 9, 9, 9};  // by columns
  const view<const float> turned(numbers.data(), {3, 3}, {1, 3});
  const std::string svg = io::heat_map_svg({{.rows = {"x", "y"}, .columns = {"a", "b"}, .values = turned}});
  CHECK(count(svg, "width=\"22.0\"") == 4);
  const std::size_t fields = svg.find("width=\"22.0\"");
  std::size_t at = fields;
  for (const char* shade : {"1.000", "0.500", "0.200", "0.400"}) {
    at = svg.find(std::string("fill-opacity=\"") + shade, at + 1);
    CHECK(at != svg.npos);
  }
}
TEST_CASE("heads are maps with one scale, beside each other as long as there is room") {
  std::vector<double> numbers(3 * 2 * 40);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(k);
  const view<const double> heads(numbers.data(), {3, 2, 40});
  const std::string narrow =
      io::heat_map_svg({{.title = "layer 1", .rows = {"x", "y"}, .columns = {"a", "b"}, .values = heads}});
  for (const char* title : {">layer 1, head 1<", ">layer 1, head 2<", ">layer 1, head 3<"})
    CHECK(count(narrow, title) == 1);
  CHECK(count(narrow, "y=\"54.0\" font-weight=\"bold\"") == 3);
  const std::string wide =
      io::heat_map_svg({{.rows = {"x", "y"}, .columns = words(40, "a"), .values = heads}});
  CHECK(count(wide, "<text x=\"16.0\"") == 4);  // one below the other, and the scale
  CHECK(count(wide, ">head 2<") == 1);
}
TEST_CASE("numbers below 0 are red, and what is not finite has no colour") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  const std::string svg = io::heat_map_svg({{.rows = {"x"},
                                             .columns = {"a", "b", "c", "d"},
                                             .values = std::vector<std::vector<double>>{{-2, 1, nan, inf}}}});
  CHECK(count(svg,
              "width=\"22.0\" height=\"22.0\" stroke=\"#ddd\" fill=\"#b2182b\" fill-opacity=\"1.000\"") == 1);
  CHECK(count(svg,
              "width=\"22.0\" height=\"22.0\" stroke=\"#ddd\" fill=\"#10307a\" fill-opacity=\"0.500\"") == 1);
  CHECK(count(svg,
              "width=\"22.0\" height=\"22.0\" stroke=\"#ddd\" fill=\"#10307a\" fill-opacity=\"0.000\"") == 2);
  CHECK(count(svg, ">-2<") == 1);
  CHECK(count(svg, "nan") + count(svg, "inf") == 0);
  CHECK(is_well_formed(io::heat_map_svg({})));
}
TEST_CASE("a drawing is as it was looked at") {
  const words german{"oft", "will", "der", "alte", "mann", "."},
      english{"the", "old", "man", "often", "wants", "</s>"};
  const int places[]{2, 3, 4, 0, 1, 5};
  std::vector<double> numbers;
  for (const double width : {0.61, 2.3})
    for (const int place : places) {
      double sum = 0;
      for (int c = 0; c < 6; ++c) sum += std::exp(-std::abs(c - place) / width);
      for (int c = 0; c < 6; ++c) numbers.push_back(std::exp(-std::abs(c - place) / width) / sum);
    }
  CHECK(is_as_drawn("heat_map.svg",
                    io::heat_map_svg({{.title = "Attention",
                                       .rows = english,
                                       .columns = german,
                                       .values = view<const double>(numbers.data(), {2, 6, 6})}})));
}
TEST_CASE("fewer numbers than words, and a tensor of another rank, are errors") {
  const std::vector<double> numbers(6);
  CHECK_THROWS_WITH_AS(io::heat_map_svg({{.title = "a",
                                          .rows = {"x", "y"},
                                          .columns = {"u", "v", "w", "z"},
                                          .values = view<const double>(numbers.data(), {2, 3})}}),
                       "heat_map_svg: 'a': expected numbers for 2 x 4 words, got 2 x 3", input_error);
  CHECK_THROWS_WITH_AS(io::heat_map({.values = view<const double>(numbers.data(), {6})}),
                       "heat_map: expected values [rows, columns] or [heads, rows, columns], got rank 1",
                       input_error);
}

}  // namespace tenon::test
