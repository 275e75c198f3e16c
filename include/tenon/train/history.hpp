// history: what fit saw, epoch by epoch: a table, CSV, an SVG curve.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace tenon {

struct epoch_report {
  int epoch = 0;    // from 1
  double loss = 0;  // of training: the mean over the rows, each with the parameters it was trained with
  double validation_loss = std::numeric_limits<double>::quiet_NaN();  // NaN: nothing was validated
  std::vector<double> metrics{};  // in the order in which fit was given them
  double learning_rate = 0;       // of the last step
  double seconds = 0;             // of training and validation
};

class training_history {
 public:
  std::vector<std::string> metric_names{};
  std::vector<epoch_report> epochs{};
  int best_epoch = 0;  // of the lowest validation loss, without one of the lowest loss; 0: there is none

  bool is_validated() const { return !epochs.empty() && !std::isnan(epochs.front().validation_loss); }
  const epoch_report& last() const {
    if (epochs.empty()) throw input_error("history: no epoch has run");
    return epochs.back();
  }
  const epoch_report& best() const {
    if (best_epoch == 0) throw input_error("history: no epoch is the best");
    return epochs[static_cast<std::size_t>(best_epoch - 1)];
  }

  // A line for each epoch, under a line of titles.
  std::string csv() const { return rows(",", 0); }
  std::string table() const { return rows("  ", 12); }
  // The losses over the epochs, as a drawing.
  std::string svg() const;
  // Writes csv() to a file whose name ends in .csv, svg() to one in .svg. Throws input_error for another ending, or where the file
  // cannot be written.
  void save(const std::string& path) const {
    const bool is_drawn = path.ends_with(".svg");
    if (!is_drawn && !path.ends_with(".csv"))
      throw input_error("history: expected a file name that ends in .csv or .svg, got '" + path + "'");
    const std::string text = is_drawn ? svg() : csv();
    std::FILE* file = std::fopen(path.c_str(), "wb");
    const bool is_written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file != nullptr ? std::fclose(file) != 0 || !is_written : true)
      throw input_error(path + ": cannot be written");
  }

 private:
  static std::string number(double value, const char* format) {
    char shown[40];
    std::snprintf(shown, sizeof shown, format, value);
    return shown;
  }
  std::string rows(const char* between, std::size_t width) const {
    std::string all;
    bool is_first = true;
    const auto cell = [&](std::string text) {
      if (!is_first) all += between;
      if (text.size() < width) text.insert(0, width - text.size(), ' ');
      all += text, is_first = false;
    };
    const auto end = [&] { all += '\n', is_first = true; };
    cell("epoch"), cell("loss");
    if (is_validated()) cell("validation");
    for (const std::string& name : metric_names) cell(name);
    cell("rate"), cell("seconds"), end();
    for (const epoch_report& e : epochs) {
      cell(std::to_string(e.epoch)), cell(number(e.loss, "%.6g"));
      if (is_validated()) cell(number(e.validation_loss, "%.6g"));
      for (double value : e.metrics) cell(number(value, "%.6g"));
      cell(number(e.learning_rate, "%.4g")), cell(number(e.seconds, "%.3g")), end();
    }
    return all;
  }
};

inline std::string training_history::svg() const {
  constexpr double width = 640, height = 360, left = 60, top = 20, right = 20, bottom = 40;
  double highest = 0;
  const auto is_shown = [](double loss) { return std::isfinite(loss); };
  for (const epoch_report& e : epochs)
    for (double loss : {e.loss, e.validation_loss})
      if (is_shown(loss)) highest = std::max(highest, loss);
  if (highest <= 0) highest = 1;
  const double across = epochs.size() > 1 ? static_cast<double>(epochs.size() - 1) : 1;
  const auto x_of = [&](double k) { return left + (width - left - right) * k / across; };
  const auto y_of = [&](double loss) { return top + (height - top - bottom) * (1 - loss / highest); };
  std::string all =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 360\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n"
      "<rect width=\"640\" height=\"360\" fill=\"white\"/>\n";
  const auto line = [&](double x0, double y0, double x1, double y1) {
    char drawn[160];
    std::snprintf(drawn, sizeof drawn,
                  "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ccc\"/>\n", x0, y0, x1,
                  y1);
    all += drawn;
  };
  const auto text = [&](double x, double y, const char* anchor, const std::string& what,
                        const char* color = "black") {
    char drawn[96];
    std::snprintf(drawn, sizeof drawn, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">", x, y,
                  anchor, color);
    all += drawn + what + "</text>\n";
  };
  for (int k = 0; k <= 4; ++k) {
    const double loss = highest * k / 4;
    line(left, y_of(loss), width - right, y_of(loss));
    text(left - 6, y_of(loss) + 4, "end", number(loss, "%.3g"));
  }
  text(left, height - 16, "middle", "1");
  if (epochs.size() > 1) text(width - right, height - 16, "end", "epoch " + std::to_string(epochs.size()));
  const auto curve = [&](const char* color, auto loss_of) {
    std::string points;
    for (std::size_t k = 0; k < epochs.size(); ++k)
      if (is_shown(loss_of(epochs[k])))
        points += number(x_of(static_cast<double>(k)), "%.1f") + "," +
                  number(y_of(loss_of(epochs[k])), "%.1f") + " ";
    all += "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + std::string(color) + "\" points=\"" +
           points + "\"/>\n";
  };
  curve("#1f77b4", [](const epoch_report& e) { return e.loss; });
  text(width - right, top + 12, "end", "training loss", "#1f77b4");
  if (is_validated()) {
    curve("#d62728", [](const epoch_report& e) { return e.validation_loss; });
    text(width - right, top + 28, "end", "validation loss", "#d62728");
  }
  return all + "</svg>\n";
}

}  // namespace tenon
