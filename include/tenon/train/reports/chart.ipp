// The bodies of chart.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::detail {

TENON_INLINE chart::chart(double first, double last, double highest, bool is_logarithmic, double lowest)
    : is_logarithmic_(is_logarithmic),
      first_(along(first)),
      width_(last > first ? along(last) - first_ : 1),
      lowest_(std::min(lowest, 0.0)),
      highest_(highest > 0 || lowest_ < 0 ? std::max(highest, 0.0) : 1) {
  const double step = round_step((highest_ - lowest_) / 5), slack = 1e-9;
  const auto last_tick = static_cast<int>(std::floor(highest_ / step + slack));
  for (int k = static_cast<int>(std::ceil(lowest_ / step - slack)); k <= last_tick; ++k) {
    const double y = k * step;
    drawn_.line(left, y_of(y), width - right, y_of(y), "stroke=\"#ccc\"");
    drawn_.text(left - 6, y_of(y) + 4, "end", general(y, 3), "black");
  }
}

TENON_INLINE void chart::mark(double x, const std::string& what) {
  drawn_.line(x_of(x), top, x_of(x), height - bottom, "stroke=\"#555\" stroke-dasharray=\"4\"");
  drawn_.text(x_of(x) + 6, height - bottom - 6, "start", what, "#555");
}

TENON_INLINE void chart::line(const std::string& name, const char* color, const std::vector<double>& x,
                              const std::vector<double>& y) {
  std::string points;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (std::isfinite(y[k])) points += svg::point(x_of(x[k]), y_of(y[k]));
  drawn_.path(points, "stroke-width=\"2\" stroke=\"" + std::string(color) + "\"");
  drawn_.text(width - right, name_height_, "end", name, color);
  name_height_ += 16;
}

TENON_INLINE double chart::round_step(double least) {
  const double decade = std::pow(10, std::floor(std::log10(std::max(least, 1e-300))));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * decade >= least * (1 - 1e-9)) return digit * decade;
  return 10 * decade;
}

TENON_INLINE double chart::y_of(double y) const {
  const double share = (std::clamp(y, lowest_, highest_) - lowest_) / (highest_ - lowest_);
  return top + (height - top - bottom) * (1 - share);
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

}  // namespace tenon::detail
