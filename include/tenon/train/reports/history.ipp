// The bodies of history.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <iterator>

namespace tenon::inline v0_1::reports {

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

TENON_INLINE std::string history::svg(const std::string& title) const {
  struct curve {
    std::string name, color;
    std::vector<double> values;
  };
  constexpr int title_height = 30, height_of_losses = 280, height_of_metric = 190;
  const int metrics = static_cast<int>(metric_names.size());
  detail::svg drawing(detail::chart::width, title_height + height_of_losses + metrics * height_of_metric,
                      detail::chart::font_size);
  drawing.title(16, 20, title);

  std::vector<double> numbers;
  for (const epoch& e : epochs) numbers.push_back(e.epoch);
  const auto values_of = [&](auto value) {
    std::vector<double> all;
    for (const epoch& e : epochs) all.push_back(value(e));
    return all;
  };
  // A chart of curves with one axis, which contains `range`.
  const auto draw = [&](int top, int height, const std::string& what, std::vector<double> range,
                        const std::vector<curve>& curves) {
    for (const curve& one : curves)
      std::copy_if(one.values.begin(), one.values.end(), std::back_inserter(range),
                   [](double value) { return std::isfinite(value); });
    if (range.empty()) range = {0};
    detail::chart chart(drawing, top, height,
                        {.below = "epoch",
                         .beside = what,
                         .first = 1,
                         .last = static_cast<double>(epochs.size()),
                         .lowest = *std::min_element(range.begin(), range.end()),
                         .highest = *std::max_element(range.begin(), range.end())});
    if (best_epoch > 0)
      chart.mark(best_epoch,
                 "best epoch " + std::to_string(best_epoch) + ": " +
                     detail::general(curves.back().values[static_cast<std::size_t>(best_epoch - 1)], 4));
    for (const curve& one : curves) chart.line(one.name, one.color, numbers, one.values);
  };
  std::vector<curve> losses{{"training", "#1f77b4", values_of([](const epoch& e) { return e.loss; })}};
  if (is_validated())
    losses.push_back({"validation", "#d62728", values_of([](const epoch& e) { return e.validation_loss; })});
  draw(title_height, height_of_losses, "loss", {0}, losses);
  for (int m = 0; m < metrics; ++m) {
    const auto k = static_cast<std::size_t>(m);
    draw(title_height + height_of_losses + m * height_of_metric, height_of_metric, metric_names[k], {},
         {{"validation", "#d62728", values_of([&](const epoch& e) { return e.metrics[k]; })}});
  }
  return drawing.written();
}

}  // namespace tenon::inline v0_1::reports
