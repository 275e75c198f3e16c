// The bodies of history.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>

namespace tenon::reports {

TENON_INLINE const epoch& history::last() const {
  if (epochs.empty()) throw input_error("history: no epoch has run");
  return epochs.back();
}

TENON_INLINE const epoch& history::best() const {
  if (best_epoch == 0) throw input_error("history: no epoch is the best");
  return epochs[static_cast<std::size_t>(best_epoch - 1)];
}

TENON_INLINE std::string history::table() const {
  std::size_t width = std::size("validation_loss") - 1;
  for (const std::string& name : metric_names) width = std::max(width, name.size());
  return rows("  ", width);
}

TENON_INLINE std::string history::quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) all.append(c == '"' ? 2 : 1, c);
  return all + '"';
}

TENON_INLINE std::string history::rows(const char* between, std::size_t width) const {
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

TENON_INLINE std::string history::svg() const {
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
