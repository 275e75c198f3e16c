// svg: a drawing of lines, rectangles and texts, written as SVG (W3C, SVG 1.1). Coordinates are pixels, from the upper left corner; parts
// are drawn in the order of the calls, and later ones lie above.
#pragma once

#include "tenon/diagnostics/number_text.hpp"

#include <string>
#include <string_view>

namespace tenon::inline v0_1::detail {

// Text as XML takes it.
std::string xml_text(std::string_view text);

class svg {
 public:
  svg(int width, int height, int font_size);
  // `look`: further attributes, such as stroke="red".
  void line(double x0, double y0, double x1, double y1, std::string_view look) {
    add("line", {{"x1", x0}, {"y1", y0}, {"x2", x1}, {"y2", y1}}, look);
  }
  void rectangle(double x, double y, double width, double height, std::string_view look) {
    add("rect", {{"x", x}, {"y", y}, {"width", width}, {"height", height}}, look);
  }
  // A line through points, "x,y x,y .."; see point().
  void path(std::string_view points, std::string_view look) {
    all_.append("<polyline fill=\"none\" ").append(look).append(" points=\"").append(points).append("\"/>\n");
  }
  static std::string point(double x, double y) { return tenths(x) + "," + tenths(y) + " "; }
  // anchor: start, middle or end, where x is. turned: by so many degrees about that point, clockwise.
  void text(double x, double y, std::string_view anchor, std::string_view what, std::string_view color,
            int turned = 0);
  // In bold, from there on.
  void title(double x, double y, std::string_view what);
  std::string written() const { return all_ + "</svg>\n"; }

 private:
  struct attribute {
    const char* name;
    double number;
  };
  static std::string tenths(double x) { return fixed(x, 1); }
  void add(const char* part, const attribute (&numbers)[4], std::string_view look);

  std::string all_;
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/svg.ipp"
#endif
