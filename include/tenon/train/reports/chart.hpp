// chart: lines over one axis, drawn as SVG; and how a curve is saved in a file.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/svg.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace tenon::inline v0_1::detail {

struct chart_axes {
  std::string below{}, beside{};   // their titles
  double first = 0, last = 1;      // of the horizontal axis, whose ticks are whole numbers
  double lowest = 0, highest = 1;  // of the vertical one, which goes to the next ticks
  bool is_logarithmic = false;     // the horizontal one: its ticks are decades
};

// One of the charts of a drawing, which lie one below the other. Parts are drawn in the order of the calls; later ones
// lie above.
class chart {
 public:
  static constexpr int width = 760, font_size = 12;

  // From `top` down `height` pixels: a line for the labels of marks, the plot, and below it ticks and the axis' title.
  chart(svg& drawing, double top, double height, const chart_axes& axes);

  // A vertical line, with a label above the plot.
  void mark(double x, const std::string& what);
  // Its name is beside the plot. A value that is not finite has no point; beyond the axis a line is cut off.
  void line(const std::string& name, const std::string& color, const std::vector<double>& x,
            const std::vector<double>& y);

 private:
  static constexpr double left = 70, right = 570, above = 22, below = 40;

  // The smallest of 1, 2, 5, 10, 20, 50, .., and of their tenths, that is at least this.
  static double round_step(double least);
  void draw_grid(const chart_axes& axes, double step);
  static std::vector<double> ticks_of(const chart_axes& axes);
  double along(double x) const { return is_logarithmic_ ? std::log10(x) : x; }
  double x_of(double x) const { return left + (right - left) * (along(x) - first_) / width_; }
  double y_of(double y) const { return bottom_ - (bottom_ - top_) * (y - lowest_) / (highest_ - lowest_); }

  svg& drawing_;
  double top_, bottom_;  // of the plot
  bool is_logarithmic_;
  double first_, width_, lowest_ = 0, highest_ = 1, name_height_;
};

// Throws input_error, with the reason, if the file cannot be written.
void save_text(const std::string& path, const std::string& text);
// Writes the drawing to a file whose name ends in .svg, the table to one in .csv. With another ending the table goes to
// a file beside it, so that the results of a training are not lost, and the input_error names that file.
void save_curve(const std::string& path, const char* name, const std::string& svg, const std::string& csv);

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/train/reports/chart.ipp"
#endif
