// progress_bar: a bar on the standard error stream, silent if that is not a terminal. Also: a duration in few words.
#pragma once

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/train/reports/stopwatch.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace tenon {

namespace engine {
// "45 s", "12 min 5 s", "3 h 20 min".
inline std::string short_time(double seconds) {
  const long all = seconds > 0 ? std::lround(std::min(seconds, 1e12)) : 0;
  const long minutes = all < 3600 ? all / 60 : (all + 30) / 60;
  if (all < 60) return std::to_string(all) + " s";
  if (all < 3600) return std::to_string(minutes) + " min " + std::to_string(all % 60) + " s";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}
// A loss or a metric: four decimals, "0.6931"; below a thousandth three digits, "4.18e-05".
[[gnu::cold, gnu::noinline]] inline std::string short_number(double value) {
  const bool is_small = value != 0 && std::abs(value) < 1e-3;
  return is_small ? tenon::detail::scientific(value, 2) : tenon::detail::fixed(value, 4);
}
}  // namespace engine

namespace reports {

class progress_bar {
 public:
  progress_bar(std::string text, long total, bool visible = ::isatty(STDERR_FILENO) != 0)
      : label_(std::move(text)), total_(total), visible_(visible) {}
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() {
    if (visible_) std::fputs("\r\033[K", stderr);
  }

  bool is_visible() const { return visible_; }
  // `done` of the total are done; shows rate, loss and the time left beside the bar. Draws at
  // most twenty times a second.
  void show(long done, double loss, double rate) {
    const long known = std::min(done, total_);
    show(done, loss, rate,
         known > 0 ? watch_.seconds() * static_cast<double>(total_ - known) / static_cast<double>(known) : 0);
  }
  // The same with the seconds left as the caller knows them, and with more text, such as "accuracy 0.9". A line
  // longer than the terminal is cut.
  void show(long done, double loss, double rate, double seconds_left, const std::string& more = "") {
    if (!visible_) return;
    const double seconds = watch_.seconds();
    if (done < total_ && seconds - drawn_ < 0.05) return;
    drawn_ = seconds;
    constexpr int width = 30;
    const long known = std::clamp(done, 0L, std::max(total_, 0L));  // more may be done than announced
    const int filled = total_ > 0 ? static_cast<int>(width * known / total_) : width;
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(width - filled), '.');
    std::string line = label_ + " [" + bar + "] " + std::to_string(done) + "/" + std::to_string(total_) +
                       "  rate " + tenon::detail::general(rate, 3) + "  loss " + engine::short_number(loss) +
                       "  " + engine::short_time(seconds_left) + " left";
    if (!more.empty()) line += "  " + more;
    if (const std::size_t most = columns(); line.size() > most) line.resize(most);
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    std::fflush(stderr);
  }

 private:
  // The terminal's width; without a terminal there is no limit.
  static std::size_t columns() {
    winsize size{};
    const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return is_known ? size.ws_col - 1u : std::string::npos;
  }
  std::string label_;
  long total_;
  bool visible_;
  detail::stopwatch watch_;
  double drawn_ = -1;  // when, in seconds
};

}  // namespace reports
}  // namespace tenon
