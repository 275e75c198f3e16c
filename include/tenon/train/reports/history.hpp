// history: the results of fit, epoch by epoch: a table, CSV, an SVG curve.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/train/reports/chart.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tenon::inline v0_1::reports {

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
  const epoch& last() const;
  const epoch& best() const;

  // A line for each epoch, under a line of titles: the names of reports::epoch's members, and of the metrics. In CSV a
  // metric's name with commas is quoted (RFC 4180). The columns of a table are as wide as the widest title.
  std::string csv() const { return rows(",", 0); }
  std::string table() const;
  // The losses over the epochs, below them each metric, and in all of them the best epoch, as a drawing.
  std::string svg(const std::string& title = "Learning curve") const;
  // Writes csv() to a file whose name ends in .csv, svg() to one in .svg. Throws input_error if the file cannot be
  // written, and for another ending: then csv() is written to that name with .csv added.
  void save(const std::string& path) const { detail::save_curve(path, "history", svg(), csv()); }

 private:
  static std::string quoted(const std::string& text);
  std::string rows(const char* between, std::size_t width) const;
};

}  // namespace tenon::inline v0_1::reports

#ifndef TENON_COMPILED
#  include "tenon/train/reports/history.ipp"
#endif
