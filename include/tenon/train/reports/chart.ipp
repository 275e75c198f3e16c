// The bodies of chart.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::inline v0_1::detail {

TENON_INLINE chart::chart(svg& drawing, double top, double height, const chart_axes& axes)
    : drawing_(drawing),
      top_(top + above),
      bottom_(top + height - below),
      is_logarithmic_(axes.is_logarithmic),
      first_(along(axes.first)),
      width_(axes.last > axes.first ? along(axes.last) - first_ : 1),
      name_height_(top_ + 10) {
  const double size = std::max(std::abs(axes.lowest), std::abs(axes.highest)), slack = 1e-9;
  const double step = size > 0 ? round_step(std::max((axes.highest - axes.lowest) / 5, size / 1000)) : 0.2;
  lowest_ = step * std::floor(axes.lowest / step + slack);
  highest_ = std::max(step * std::ceil(axes.highest / step - slack), lowest_ + step);
  draw_grid(axes, step);
}

TENON_INLINE void chart::draw_grid(const chart_axes& axes, double step) {
  const double middle = (top_ + bottom_) / 2;
  for (double k = std::round(lowest_ / step); k <= std::round(highest_ / step); ++k) {
    const double value = k * step, y = y_of(value);
    drawing_.line(left, y, right, y, "stroke=\"#ccc\"");
    drawing_.text(left - 6, y + 4, "end", general(value, 4), "#222");
  }
  for (const double tick : ticks_of(axes)) {
    drawing_.line(x_of(tick), bottom_, x_of(tick), bottom_ + 4, "stroke=\"#222\"");
    drawing_.text(x_of(tick), bottom_ + 17, "middle", general(tick, 6), "#222");
  }
  drawing_.text((left + right) / 2, bottom_ + 34, "middle", axes.below, "#222");
  drawing_.text(16, middle, "middle", axes.beside, "#222", -90);
}

TENON_INLINE std::vector<double> chart::ticks_of(const chart_axes& axes) {
  std::vector<double> ticks;
  const double slack = 1e-9;
  if (!axes.is_logarithmic) {
    const double step = std::max(1.0, round_step((axes.last - axes.first) / 10));
    for (double k = std::ceil(axes.first / step - slack); k * step <= axes.last + slack; ++k)
      ticks.push_back(0.0 + k * step);  // no -0
    return ticks;
  }
  for (double decade = std::floor(std::log10(axes.first)); decade <= std::log10(axes.last) + slack; ++decade)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10, decade);
      const bool is_inside = tick >= axes.first * (1 - slack) && tick <= axes.last * (1 + slack);
      if (is_inside && (digit == 1 || axes.last < 100 * axes.first)) ticks.push_back(tick);
    }
  return ticks;
}

TENON_INLINE void chart::mark(double x, const std::string& what) {
  const double at = x_of(x), share = (at - left) / (right - left);
  drawing_.line(at, top_, at, bottom_, "stroke=\"#555\" stroke-dasharray=\"4\"");
  drawing_.text(at, top_ - 6, share < 0.33 ? "start" : share > 0.67 ? "end" : "middle", what, "#222");
}

TENON_INLINE void chart::line(const std::string& name, const std::string& color, const std::vector<double>& x,
                              const std::vector<double>& y) {
  const auto look = [&](int pixels) {
    return "stroke-width=\"" + std::to_string(pixels) + "\" stroke-linecap=\"round\" stroke=\"" + color +
           "\"";
  };
  std::string points;
  double last_x = 0, last_y = 0,
         last_inside = 0;  // of the point before; `inside` is the nearest place of the plot
  bool is_first = true;
  const auto end_path = [&] {
    const bool is_dot = std::count(points.begin(), points.end(), ',') == 1;
    if (!points.empty()) drawing_.path(is_dot ? points + points : points, look(is_dot ? 6 : 2));
    points.clear();
  };
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!std::isfinite(y[k])) continue;
    const double here_x = x_of(x[k]), here_y = y_of(y[k]), inside = std::clamp(here_y, top_, bottom_);
    const auto crossing = [&](double edge) {
      return svg::point(last_x + (here_x - last_x) * (edge - last_y) / (here_y - last_y), edge);
    };
    if (!is_first && points.empty() && last_inside != inside) points = crossing(last_inside);
    if (here_y == inside) {
      points += svg::point(here_x, here_y);
    } else if (!points.empty()) {
      points += crossing(inside);
      end_path();
    }
    last_x = here_x;
    last_y = here_y;
    last_inside = inside;
    is_first = false;
  }
  end_path();
  drawing_.line(right + 16, name_height_ - 4, right + 40, name_height_ - 4, look(2));
  drawing_.text(right + 48, name_height_, "start", name, "#222");
  name_height_ += 18;
}

TENON_INLINE double chart::round_step(double least) {
  const double decade = std::pow(10, std::floor(std::log10(std::max(least, 1e-300))));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * decade >= least * (1 - 1e-9)) return digit * decade;
  return 10 * decade;
}

TENON_INLINE void save_text(const std::string& path, const std::string& text) {
  try {
    write_file(path, text);
  } catch (const data_error& error) { throw input_error(error.what()); }
}

TENON_INLINE void save_curve(const std::string& path, const char* name, const std::string& svg,
                             const std::string& csv) {
  if (path.ends_with(".svg")) return save_text(path, svg);
  if (path.ends_with(".csv")) return save_text(path, csv);
  save_text(path + ".csv", csv);
  throw_input_error({name, ": expected a file name that ends in .csv or .svg, got '", path,
                     "'; the table is in '", path, ".csv'"});
}

}  // namespace tenon::inline v0_1::detail
