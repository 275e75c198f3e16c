// chart: lines over one axis, drawn as SVG; and how a curve is saved in a file.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/svg.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace tenon::detail {

// Parts are drawn in the order of the calls; later ones lie above.
class chart {
 public:
  // The horizontal axis goes from `first` to `last`, the vertical one from 0, or from `lowest` if that is below 0, to
  // `highest`; values beyond are drawn at its end.
  chart(double first, double last, double highest, bool is_logarithmic = false, double lowest = 0);

  // A label under the horizontal axis.
  void label(double x, const std::string& what, const char* anchor = "middle") {
    drawn_.text(x_of(x), height - 16, anchor, what, "black");
  }
  // A labelled line across it.
  void mark(double x, const std::string& what);
  // A value that is not finite has no point.
  void line(const std::string& name, const char* color, const std::vector<double>& x,
            const std::vector<double>& y);
  std::string written() const { return drawn_.written(); }

 private:
  static constexpr int width = 640, height = 360;
  static constexpr double left = 60, top = 20, right = 20, bottom = 40;

  // The smallest of 1, 2, 5, 10, 20, 50, .., and of their tenths, that is at least this.
  static double round_step(double least);
  double along(double x) const { return is_logarithmic_ ? std::log10(x) : x; }
  double x_of(double x) const { return left + (width - left - right) * (along(x) - first_) / width_; }
  double y_of(double y) const;

  bool is_logarithmic_;
  double first_, width_, lowest_, highest_, name_height_ = top + 12;
  svg drawn_{width, height, 12};
};

// Throws input_error, with the reason, if the file cannot be written.
void save_text(const std::string& path, const std::string& text);
// Writes the drawing to a file whose name ends in .svg, the table to one in .csv. With another ending the table goes to
// a file beside it, so that the results of a training are not lost, and the input_error names that file.
void save_curve(const std::string& path, const char* name, const std::string& svg, const std::string& csv);

}  // namespace tenon::detail

#ifndef TENON_COMPILED
#  include "tenon/train/reports/chart.ipp"
#endif
