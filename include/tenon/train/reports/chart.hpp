// chart: lines over one axis, drawn as SVG; and how a curve is saved in a file.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace tenon::detail {

// Parts are drawn in the order of the calls; later ones lie above.
class chart {
 public:
  // The horizontal axis goes from `first` to `last`, the vertical one from 0, or from `lowest` if that is below 0, to
  // `highest`; values beyond are drawn at its end.
  chart(double first, double last, double highest, bool is_logarithmic = false, double lowest = 0)
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

  // A label under the horizontal axis.
  void label(double x, const std::string& what, const char* anchor = "middle") {
    drawn_.text(x_of(x), height - 16, anchor, what, "black");
  }
  // A labelled line across it.
  void mark(double x, const std::string& what) {
    drawn_.line(x_of(x), top, x_of(x), height - bottom, "stroke=\"#555\" stroke-dasharray=\"4\"");
    drawn_.text(x_of(x) + 6, height - bottom - 6, "start", what, "#555");
  }
  // A value that is not finite has no point.
  void line(const std::string& name, const char* color, const std::vector<double>& x,
            const std::vector<double>& y) {
    std::string points;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (std::isfinite(y[k])) points += svg::point(x_of(x[k]), y_of(y[k]));
    drawn_.path(points, "stroke-width=\"2\" stroke=\"" + std::string(color) + "\"");
    drawn_.text(width - right, name_height_, "end", name, color);
    name_height_ += 16;
  }
  std::string written() const { return drawn_.written(); }

 private:
  static constexpr int width = 640, height = 360;
  static constexpr double left = 60, top = 20, right = 20, bottom = 40;

  // The smallest of 1, 2, 5, 10, 20, 50, .., and of their tenths, that is at least this.
  static double round_step(double least) {
    const double decade = std::pow(10, std::floor(std::log10(std::max(least, 1e-300))));
    for (const double digit : {1.0, 2.0, 5.0})
      if (digit * decade >= least * (1 - 1e-9)) return digit * decade;
    return 10 * decade;
  }
  double along(double x) const { return is_logarithmic_ ? std::log10(x) : x; }
  double x_of(double x) const { return left + (width - left - right) * (along(x) - first_) / width_; }
  double y_of(double y) const {
    const double share = (std::clamp(y, lowest_, highest_) - lowest_) / (highest_ - lowest_);
    return top + (height - top - bottom) * (1 - share);
  }

  bool is_logarithmic_;
  double first_, width_, lowest_, highest_, name_height_ = top + 12;
  svg drawn_{width, height, 12};
};

// Throws input_error, with the reason, if the file cannot be written.
inline void save_text(const std::string& path, const std::string& text) {
  try {
    write_file(path, text);
  } catch (const data_error& error) { throw input_error(error.what()); }
}
// Writes the drawing to a file whose name ends in .svg, the table to one in .csv. With another ending the table goes to
// a file beside it, so that the results of a training are not lost, and the input_error names that file.
inline void save_curve(const std::string& path, const char* name, const std::string& svg,
                       const std::string& csv) {
  if (path.ends_with(".svg")) return save_text(path, svg);
  if (path.ends_with(".csv")) return save_text(path, csv);
  save_text(path + ".csv", csv);
  throw_input_error({name, ": expected a file name that ends in .csv or .svg, got '", path,
                     "'; the table is in '", path, ".csv'"});
}

}  // namespace tenon::detail
