// A drawing in SVG: parts in their order, texts that XML takes, nothing but one element of the name svg.
#include "tenon/io/svg.hpp"

#include "support/drawing.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tenon::test {

TEST_CASE("parts are written in the order of the calls, with tenths of a pixel") {
  detail::svg drawing(200, 100, 12);
  drawing.line(0, 1.25, 200, 1, "stroke=\"red\"");
  drawing.rectangle(10, 20, 30.04, 40, "fill=\"blue\"");
  drawing.path(detail::svg::point(1, 2) + detail::svg::point(3, 4.5), "stroke=\"green\"");
  drawing.text(5, 6, "middle", "here", "black");
  drawing.text(7, 8, "start", "up", "black", -90);
  drawing.title(16, 20, "a < b");
  const std::string all = drawing.written();
  CHECK(is_well_formed(all));
  CHECK(all.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 200 100\""));
  const std::size_t line = all.find("<line x1=\"0.0\" y1=\"1.2\" x2=\"200.0\" y2=\"1.0\" stroke=\"red\"/>"),
                    box = all.find(
                        "<rect x=\"10.0\" y=\"20.0\" width=\"30.0\" height=\"40.0\" fill=\"blue\"/>"),
                    path = all.find("<polyline fill=\"none\" stroke=\"green\" points=\"1.0,2.0 3.0,4.5 \"/>");
  CHECK(line < box);
  CHECK(box < path);
  CHECK(path != all.npos);
  CHECK(count(all, "<text x=\"5.0\" y=\"6.0\" text-anchor=\"middle\" fill=\"black\">here</text>") == 1);
  CHECK(count(all, "<text x=\"16.0\" y=\"20.0\" font-weight=\"bold\">a &lt; b</text>") == 1);
  CHECK(count(all, "transform=\"rotate(-90 7.0 8.0)\">up<") == 1);
}
TEST_CASE("a text has no part of the language in it") {
  detail::svg drawing(10, 10, 12);
  drawing.text(0, 0, "start", "a<b & \"c\">", "black");
  CHECK(is_well_formed(drawing.written()));
  CHECK(count(drawing.written(), ">a&lt;b &amp; &quot;c&quot;&gt;</text>") == 1);
}

}  // namespace tenon::test
