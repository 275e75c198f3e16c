// progress_bar: a bar on the standard error stream, silent if that is not a terminal. Also: a duration in few words.
#pragma once

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/system/calls.hpp"
#include "tenon/train/reports/stopwatch.hpp"

#include <cstdio>
#include <string>
#include <utility>

namespace tenon::inline v0_1 {

namespace engine {
// "45 s", "12 min 5 s", "3 h 20 min".
std::string short_time(double seconds);
// A loss or a metric: four decimals, "0.6931"; below a thousandth three digits, "4.18e-05".
[[gnu::cold]] std::string short_number(double value);
}  // namespace engine

namespace reports {

class progress_bar {
 public:
  progress_bar(std::string text, long total, bool visible = system_calls::can_redraw(stderr))
      : label_(std::move(text)), total_(total), visible_(visible) {}
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() {
    if (visible_) std::fputs("\r\033[K", stderr);
  }

  bool is_visible() const { return visible_; }
  // `done` of the total are done; shows rate, loss and the time left beside the bar. Draws at
  // most twenty times a second.
  void show(long done, double loss, double rate);
  // The same with the seconds left as the caller knows them, and with more text, such as "accuracy 0.9". A line
  // longer than the terminal is cut.
  void show(long done, double loss, double rate, double seconds_left, const std::string& more = "");

 private:
  // The terminal's width; without a terminal there is no limit.
  static std::size_t columns();
  std::string label_;
  long total_;
  bool visible_;
  detail::stopwatch watch_;
  double drawn_ = -1;  // when, in seconds
};

}  // namespace reports
}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/train/reports/progress.ipp"
#endif
