// history: the results of fit, epoch by epoch: a table, CSV, an SVG curve.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/train/reports/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tenon::reports {

struct epoch {
  int epoch = 0;    // from 1
  double loss = 0;  // of training: the mean over the rows, each with the parameters before its step
  double validation_loss = std::numeric_limits<double>::quiet_NaN();  // NaN: no validation
  std::vector<double> metrics{};  // in the order in which they were given to fit
  double learning_rate = 0;       // of the last step
  double seconds = 0;             // of training and validation
};

class history {
 public:
  std::vector<std::string> metric_names{};
  std::vector<epoch> epochs{};
  int best_epoch =
      0;  // by what early stopping watches: the validation loss, or else the training loss; 0: none

  bool is_validated() const { return !epochs.empty() && !std::isnan(epochs.front().validation_loss); }
  const epoch& last() const {
    if (epochs.empty()) throw input_error("history: no epoch has run");
    return epochs.back();
  }
  const epoch& best() const {
    if (best_epoch == 0) throw input_error("history: no epoch is the best");
    return epochs[static_cast<std::size_t>(best_epoch - 1)];
  }

  // A line for each epoch, under a line of titles: the names of reports::epoch's members, and of the metrics. In CSV a
  // metric's name with commas is quoted (RFC 4180). The columns of a table are as wide as the widest title.
  std::string csv() const { return rows(",", 0); }
  std::string table() const {
    std::size_t width = std::size("validation_loss") - 1;
    for (const std::string& name : metric_names) width = std::max(width, name.size());
    return rows("  ", width);
  }
  // The losses over the epochs, as a drawing.
  std::string svg() const;
  // Writes csv() to a file whose name ends in .csv, svg() to one in .svg. Throws input_error if the file cannot be
  // written, and for another ending: then csv() is written to that name with .csv added.
  void save(const std::string& path) const { detail::save_curve(path, "history", svg(), csv()); }

 private:
  static std::string quoted(const std::string& text) {
    std::string all = "\"";
    for (const char c : text) all.append(c == '"' ? 2 : 1, c);
    return all + '"';
  }
  std::string rows(const char* between, std::size_t width) const {
    std::string all;
    bool is_first = true;
    const auto cell = [&](std::string text) {
      if (!is_first) all += between;
      if (width == 0 && text.find_first_of(",\"\r\n") != std::string::npos) text = quoted(text);
      if (text.size() < width) text.insert(0, width - text.size(), ' ');
      all += text;
      is_first = false;
    };
    const auto end = [&] {
      all += '\n';
      is_first = true;
    };
    for (const char* column : {"epoch", "loss"}) cell(column);
    if (is_validated()) cell("validation_loss");
    for (const std::string& name : metric_names) cell(name);
    for (const char* column : {"learning_rate", "seconds"}) cell(column);
    end();
    for (const epoch& e : epochs) {
      cell(std::to_string(e.epoch));
      cell(tenon::detail::general(e.loss, 6));
      if (is_validated()) cell(tenon::detail::general(e.validation_loss, 6));
      for (double value : e.metrics) cell(tenon::detail::general(value, 6));
      cell(tenon::detail::general(e.learning_rate, 4));
      cell(tenon::detail::general(e.seconds, 3));
      end();
    }
    return all;
  }
};

inline std::string history::svg() const {
  std::vector<double> numbers, training, validation;
  double lowest = 0, highest = 0;
  for (const epoch& e : epochs) {
    numbers.push_back(static_cast<double>(numbers.size() + 1));
    training.push_back(e.loss);
    validation.push_back(e.validation_loss);
    for (const double loss : {e.loss, e.validation_loss})
      if (std::isfinite(loss)) {
        lowest = std::min(lowest, loss);
        highest = std::max(highest, loss);
      }
  }
  const auto last = static_cast<double>(epochs.size());
  detail::chart drawing(1, last, highest, false, lowest);
  drawing.label(1, "1");
  if (epochs.size() > 1) drawing.label(last, "epoch " + std::to_string(epochs.size()), "end");
  drawing.line("training loss", "#1f77b4", numbers, training);
  if (is_validated()) drawing.line("validation loss", "#d62728", numbers, validation);
  return drawing.written();
}

}  // namespace tenon::reports
