// progress_bar: a bar on the standard error stream. Silent when that is not a terminal.
#pragma once

#include "tenon/train/stopwatch.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace tenon::reports {

class progress_bar {
 public:
  progress_bar(std::string text, long total, bool visible = ::isatty(STDERR_FILENO) != 0)
      : label_(std::move(text)), total_(total), visible_(visible) {}
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() {
    if (visible_) std::fputs("\r\033[K", stderr);
  }

  // `done` of the total are done; rate and loss are shown beside the bar. Draws at most twenty times a second.
  void show(long done, double loss, double rate) {
    if (!visible_) return;
    const double seconds = watch_.seconds();
    if (done < total_ && seconds - drawn_ < 0.05) return;
    drawn_ = seconds;
    constexpr int width = 30;
    const long known = std::clamp(done, 0L, std::max(total_, 0L));  // more may be done than was said
    const int filled = total_ > 0 ? static_cast<int>(width * known / total_) : width;
    const double left =
        known > 0 ? seconds * static_cast<double>(total_ - known) / static_cast<double>(known) : 0;
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(width - filled), '.');
    std::fprintf(stderr, "\r\033[K%s [%s] %ld/%ld  rate %.3g  loss %.4f  %.0f s left", label_.c_str(),
                 bar.c_str(), done, total_, rate, loss, left);
    std::fflush(stderr);
  }

 private:
  std::string label_;
  long total_;
  bool visible_;
  detail::stopwatch watch_;
  double drawn_ = -1;  // when, in seconds
};

}  // namespace tenon::reports
