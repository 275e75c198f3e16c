// The bodies of schedule.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>

namespace tenon::inline v0_1::schedules {

TENON_INLINE schedule& schedule::operator=(schedule other) noexcept {
  std::swap(held_, other.held_);
  std::swap(of_, other.of_);
  return *this;
}

TENON_INLINE void schedule::restore(const std::vector<double>& numbers) {
  if (numbers.size() != state().size())
    throw input_error("a schedule that remembers " + std::to_string(state().size()) +
                      " numbers cannot go on from " + std::to_string(numbers.size()));
  if (held_) of_->restore(held_, numbers);
}

}  // namespace tenon::inline v0_1::schedules

namespace tenon::inline v0_1::engine {

[[gnu::noinline]] TENON_INLINE std::string short_text(double number) {
  std::string shown = tenon::detail::fixed(number);
  while (shown.find('.') != std::string::npos && (shown.back() == '0' || shown.back() == '.'))
    shown.pop_back();
  return shown;
}

[[gnu::noinline]] TENON_INLINE void refuse_schedule(const char* expected, double got) {
  throw input_error(std::string(expected) + ", got " + short_text(got));
}

TENON_INLINE double half_cosine(double from, double to, double share) {
  constexpr double pi = 3.14159265358979323846;
  return between(to, from, 0.5 * (1 + std::cos(pi * std::min(share, 1.0))));
}

}  // namespace tenon::inline v0_1::engine

namespace tenon::inline v0_1::schedules {

TENON_INLINE schedule constant(double rate) {
  engine::check_schedule(rate >= 0, "constant: expected a rate of at least 0", rate);
  return [rate](const progress&) { return rate; };
}

TENON_INLINE schedule cosine(double rate, double last) {
  engine::check_schedule(rate >= 0, "cosine: expected a rate of at least 0", rate);
  engine::check_schedule(last >= 0, "cosine: expected a last rate of at least 0", last);
  return [=](const progress& p) { return engine::half_cosine(rate, last, p.share()); };
}

TENON_INLINE schedule step_decay(double rate, const decay_period& period, double factor) {
  engine::check_schedule(rate >= 0, "step_decay: expected a rate of at least 0", rate);
  engine::check_schedule(period.steps > 0 || (period.steps == 0 && period.epochs > 0),
                         "step_decay: expected a period above 0",
                         period.steps != 0 ? static_cast<double>(period.steps) : period.epochs);
  engine::check_schedule(period.after >= 0, "step_decay: expected a start of at least 0 epochs",
                         period.after);
  engine::check_schedule(factor > 0, "step_decay: expected a factor above 0", factor);
  return [=](const progress& p) {
    const double before = period.after > 0 ? period.after * static_cast<double>(p.steps) / p.epochs : 0;
    const double length = period.steps > 0 ? static_cast<double>(period.steps)
                                           : period.epochs * static_cast<double>(p.steps) / p.epochs;
    const double periods = engine::whole((static_cast<double>(p.step) - before) / length);
    return rate * std::pow(factor, std::max(periods, 0.0));
  };
}

TENON_INLINE schedule step_decay(double rate, double period, double factor) {
  engine::check_schedule(period >= 1, "step_decay: expected a period of at least 1 epoch", period);
  engine::check_schedule(period == std::floor(period) && period <= std::numeric_limits<int>::max(),
                         "step_decay: expected a period of whole epochs, or {.epochs = ..} of parts of them",
                         period);
  engine::check_schedule(rate >= 0, "step_decay: expected a rate of at least 0", rate);
  engine::check_schedule(factor > 0, "step_decay: expected a factor above 0", factor);
  return [=, epochs = static_cast<int>(period)](const progress& p) {
    return rate * std::pow(factor, p.epoch / epochs);
  };
}

TENON_INLINE schedule multi_step(double rate, std::vector<double> epochs, double factor) {
  engine::check_schedule(rate >= 0, "multi_step: expected a rate of at least 0", rate);
  engine::check_schedule(factor > 0, "multi_step: expected a factor above 0", factor);
  for (std::size_t k = 0; k < epochs.size(); ++k) {
    engine::check_schedule(epochs[k] >= 0, "multi_step: expected moments of at least 0 epochs", epochs[k]);
    if (k > 0 && epochs[k] < epochs[k - 1])
      throw input_error("multi_step: expected moments in rising order, got " + engine::short_text(epochs[k]) +
                        " after " + engine::short_text(epochs[k - 1]));
  }
  return [=, epochs = std::move(epochs)](const progress& p) {
    double now = rate;
    for (double moment : epochs)
      if (engine::past_rounding(p.epochs_done()) >= moment) now *= factor;
    return now;
  };
}

TENON_INLINE schedule exponential(double rate, double factor) {
  engine::check_schedule(rate >= 0, "exponential: expected a rate of at least 0", rate);
  engine::check_schedule(factor > 0, "exponential: expected a factor above 0", factor);
  return [=](const progress& p) { return rate * std::pow(factor, p.epoch); };
}

TENON_INLINE schedule linear_decay(double rate, double last) {
  engine::check_schedule(rate >= 0, "linear_decay: expected a rate of at least 0", rate);
  engine::check_schedule(last >= 0, "linear_decay: expected a last rate of at least 0", last);
  return [=](const progress& p) { return engine::between(rate, last, std::min(p.share(), 1.0)); };
}

TENON_INLINE schedule inverse_square_root(double highest, long warm_up) {
  engine::check_schedule(highest >= 0, "inverse_square_root: expected a highest rate of at least 0", highest);
  engine::check_schedule(warm_up >= 1, "inverse_square_root: expected a warm-up of at least 1 step",
                         static_cast<double>(warm_up));
  return [=](const progress& p) {
    const double now = static_cast<double>(p.step + 1), top = static_cast<double>(warm_up);
    return highest * std::min(now / top, std::sqrt(top / now));
  };
}

}  // namespace tenon::inline v0_1::schedules

namespace tenon::inline v0_1::engine {

TENON_INLINE double warming_up::operator()(const schedules::progress& p) const {
  const double rate = then(p);
  return p.step >= steps ? rate : rate * static_cast<double>(p.step + 1) / static_cast<double>(steps);
}

}  // namespace tenon::inline v0_1::engine

namespace tenon::inline v0_1::schedules {

TENON_INLINE schedule warm_up(long steps, schedule then) {
  engine::check_schedule(steps >= 0, "warm_up: expected at least 0 steps", static_cast<double>(steps));
  if (!then) throw input_error("warm_up: expected a schedule to climb to, got an empty one");
  return engine::warming_up{steps, std::move(then)};
}

TENON_INLINE schedule one_cycle(double highest) {
  engine::check_schedule(highest >= 0, "one_cycle: expected a highest rate of at least 0", highest);
  return [=](const progress& p) {
    constexpr double rising = 0.3;
    const double first = highest / 25, share = p.share();
    if (share < rising) return engine::half_cosine(first, highest, share / rising);
    return engine::half_cosine(highest, first / 1e4, (share - rising) / (1 - rising));
  };
}

}  // namespace tenon::inline v0_1::schedules
