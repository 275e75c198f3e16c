// The bodies of heat_map.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/io/svg.hpp"
#include "tenon/meta/inline.hpp"

#include <cmath>

namespace tenon::inline v0_1::detail {

// A map of one head, and where it lies in the drawing.
struct heat_panel {
  static constexpr double cell = 22, font_size = 13, turned = 50;

  const io::heat_map& map;
  std::size_t head;
  double x = 0, y = 0;

  // How wide the longest of some words is, about.
  static double width_of(const std::vector<std::string>& words) {
    long longest = 0;
    for (const std::string& word : words)
      longest = std::max<long>(
          longest, std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    return 0.6 * font_size * static_cast<double>(longest);
  }
  std::string title() const {
    if (!map.values.has_heads) return map.title;
    return map.title + (map.title.empty() ? "head " : ", head ") + std::to_string(head + 1);
  }
  double left() const { return width_of(map.rows) + 12; }
  double above() const {
    return 0.77 * width_of(map.columns) + 40;
  }  // the sine of the turned words, and the title
  double width() const {
    return std::max(left() + cell * static_cast<double>(map.columns.size()) + 0.64 * width_of(map.columns),
                    width_of({title()}));
  }
  double height() const { return above() + cell * static_cast<double>(map.rows.size()) + 16; }

  double value(std::size_t row, std::size_t column) const { return map.values(head, row, column); }
  template <class F>
  void each(F f) const {
    for (std::size_t r = 0; r < map.rows.size(); ++r)
      for (std::size_t c = 0; c < map.columns.size(); ++c) f(r, c, value(r, c));
  }
  static std::string look(double share) {
    return std::string("stroke=\"#ddd\" fill=\"") + (share < 0 ? "#b2182b" : "#10307a") +
           "\" fill-opacity=\"" + fixed(std::isfinite(share) ? std::abs(share) : 0, 3) + "\"";
  }
  void draw(svg& drawing, double largest) const {
    const auto at = [](double from, std::size_t k) { return from + cell * static_cast<double>(k); };
    drawing.title(x, y + 14, title());
    for (std::size_t c = 0; c < map.columns.size(); ++c)
      drawing.text(at(x + left(), c) + cell / 2 + 4, y + above() - 6, "start", map.columns[c], "#222",
                   -static_cast<int>(turned));
    for (std::size_t r = 0; r < map.rows.size(); ++r)
      drawing.text(x + left() - 8, at(y + above(), r) + cell - 7, "end", map.rows[r], "#222");
    each([&](std::size_t r, std::size_t c, double number) {
      drawing.rectangle(at(x + left(), c), at(y + above(), r), cell, cell, look(number / largest));
    });
  }
};

// From the lowest number, or 0, to the largest.
inline void draw_heat_scale(svg& drawing, double x, double y, double lowest, double highest, double largest) {
  constexpr int parts = 20, width = 7, height = 12;
  const std::string first = general(lowest, 3);
  const double from = x + heat_panel::width_of({first}) + 6;
  drawing.text(x, y + height - 1, "start", first, "#222");
  for (int k = 0; k < parts; ++k)
    drawing.rectangle(from + k * width, y, width, height,
                      heat_panel::look((lowest + (k + 0.5) / parts * (highest - lowest)) / largest));
  drawing.text(from + parts * width + 6, y + height - 1, "start", general(highest, 3), "#222");
}

}  // namespace tenon::inline v0_1::detail

namespace tenon::inline v0_1::io {

TENON_INLINE std::string heat_map_svg(const std::vector<heat_map>& maps) {
  constexpr double most = 1000, margin = 16, gap = 24, above = 40;  // `above`: the scale
  std::vector<detail::heat_panel> panels;
  double lowest = 0, highest = 0, x = margin, y = above, bottom = above, right = 260;
  for (const heat_map& map : maps) {
    if (map.values.rows < map.rows.size() || map.values.columns < map.columns.size())
      detail::throw_input_error({"heat_map_svg: '", map.title, "': expected numbers for ", map.rows.size(),
                                 " x ", map.columns.size(), " words, got ", map.values.rows, " x ",
                                 map.values.columns});
    for (std::size_t head = 0; head < map.values.heads; ++head) {
      detail::heat_panel panel{map, head};
      if (x > margin && x + panel.width() > most) {
        x = margin;
        y = bottom;
      }
      panel.x = x;
      panel.y = y;
      panel.each([&](std::size_t, std::size_t, double number) {
        if (!std::isfinite(number)) return;
        lowest = std::min(lowest, number);
        highest = std::max(highest, number);
      });
      x += panel.width() + gap;
      bottom = std::max(bottom, y + panel.height());
      right = std::max(right, x);
      panels.push_back(panel);
    }
  }
  const double largest = std::max({-lowest, highest, 1e-300});
  detail::svg drawing(static_cast<int>(right), static_cast<int>(bottom),
                      static_cast<int>(detail::heat_panel::font_size));
  detail::draw_heat_scale(drawing, margin, 14, lowest, highest, largest);
  for (const detail::heat_panel& panel : panels) panel.draw(drawing, largest);
  return drawing.written();
}

}  // namespace tenon::inline v0_1::io
