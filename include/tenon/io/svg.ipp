// The bodies of svg.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE std::string xml_text(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '&') all += "&amp;";
    else if (c == '<') all += "&lt;";
    else if (c == '>') all += "&gt;";
    else if (c == '"') all += "&quot;";
    else all += c;
  }
  return all;
}

TENON_INLINE svg::svg(int width, int height, int font_size)
    : all_("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(width) + " " +
           std::to_string(height) + "\" font-family=\"sans-serif\" font-size=\"" + std::to_string(font_size) +
           "\">\n<rect width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(height) +
           "\" fill=\"white\"/>\n") {}

TENON_INLINE void svg::text(double x, double y, std::string_view anchor, std::string_view what,
                            std::string_view color, int turned) {
  all_ += "<text x=\"" + tenths(x) + "\" y=\"" + tenths(y) + "\" text-anchor=\"";
  all_.append(anchor).append("\" fill=\"").append(color).append("\"");
  if (turned != 0)
    all_ += " transform=\"rotate(" + std::to_string(turned) + " " + tenths(x) + " " + tenths(y) + ")\"";
  all_ += ">" + xml_text(what) + "</text>\n";
}

TENON_INLINE void svg::title(double x, double y, std::string_view what) {
  all_ += "<text x=\"" + tenths(x) + "\" y=\"" + tenths(y) + "\" font-weight=\"bold\">" + xml_text(what) +
          "</text>\n";
}

TENON_INLINE void svg::add(const char* part, const attribute (&numbers)[4], std::string_view look) {
  all_ += "<" + std::string(part);
  for (const attribute& a : numbers) all_ += " " + std::string(a.name) + "=\"" + tenths(a.number) + "\"";
  all_.append(" ").append(look).append("/>\n");
}

}  // namespace tenon::inline v0_1::detail
