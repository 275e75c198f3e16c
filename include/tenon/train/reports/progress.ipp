// The bodies of progress.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::inline v0_1::engine {

TENON_INLINE std::string short_time(double seconds) {
  const long all = seconds > 0 ? std::lround(std::min(seconds, 1e12)) : 0;
  const long minutes = all < 3600 ? all / 60 : (all + 30) / 60;
  if (all < 60) return std::to_string(all) + " s";
  if (all < 3600) return std::to_string(minutes) + " min " + std::to_string(all % 60) + " s";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

[[gnu::noinline]] TENON_INLINE std::string short_number(double value) {
  const bool is_small = value != 0 && std::abs(value) < 1e-3;
  return is_small ? tenon::detail::scientific(value, 2) : tenon::detail::fixed(value, 4);
}

}  // namespace tenon::inline v0_1::engine

namespace tenon::inline v0_1::reports {

TENON_INLINE void progress_bar::show(long done, double loss, double rate) {
  const long known = std::min(done, total_);
  show(done, loss, rate,
       known > 0 ? watch_.seconds() * static_cast<double>(total_ - known) / static_cast<double>(known) : 0);
}

TENON_INLINE void progress_bar::show(long done, double loss, double rate, double seconds_left,
                                     const std::string& more) {
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

TENON_INLINE std::size_t progress_bar::columns() {
  const std::size_t all = system_calls::terminal_columns();
  return all > 1 ? all - 1 : std::string::npos;
}

}  // namespace tenon::inline v0_1::reports
