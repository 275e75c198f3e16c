// Learning rates over time, as values: fit(trainer, data, {.epochs = 30, .schedule = schedules::cosine(2e-3)}). A
// schedule is any function from the progress of a training to a rate; fit calls it before each step. Arguments
// out of range throw input_error.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/meta/erased.hpp"
#include "tenon/meta/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon {

namespace schedules {

// How far a training has come, before a step.
struct progress {
  long step = 0, steps = 1;   // updates: done, and of the whole training
  int epoch = 0, epochs = 1;  // done, and of the whole training
  double learning_rate = 0;   // of the step before
  double loss =
      std::numeric_limits<double>::infinity();  // of the last epoch: its validation loss if there is one
  bool starts_epoch = false;                    // is this the first step of an epoch?

  // The share of the training that is done, from 0 to 1.
  double share() const { return steps > 0 ? static_cast<double>(step) / static_cast<double>(steps) : 1; }
  // Epochs that are done, with fractions: 5.5 in the middle of the sixth.
  double epochs_done() const { return share() * epochs; }
};

// A schedule of any type: a function from schedules::progress to a rate. One that remembers something
// between calls has state(), the numbers that it remembers, and restore(numbers), so that a checkpoint can
// save them. Each copy has its own memory.
class schedule {
 public:
  schedule() = default;
  template <class F>
  requires(!std::same_as<F, schedule> &&
           std::convertible_to<std::invoke_result_t<F&, const progress&>, double>)  //
      schedule(F f)
      : held_(engine::is_empty_function(f) ? nullptr : new F(std::move(f))), of_(&operations_of<F>) {}
  schedule(const schedule& other)
      : held_(other.held_ ? other.of_->copy(other.held_) : nullptr), of_(other.of_) {}
  schedule(schedule&& other) noexcept : held_(std::exchange(other.held_, nullptr)), of_(other.of_) {}
  schedule& operator=(schedule other) noexcept {
    std::swap(held_, other.held_);
    std::swap(of_, other.of_);
    return *this;
  }
  ~schedule() {
    if (held_) of_->destroy(held_);
  }

  explicit operator bool() const { return held_ != nullptr; }
  double operator()(const progress& p) const { return of_->rate(held_, p); }
  std::vector<double> state() const { return held_ ? of_->state(held_) : std::vector<double>{}; }
  // Throws input_error if these are not the numbers of such a schedule.
  void restore(const std::vector<double>& numbers) {
    if (numbers.size() != state().size())
      throw input_error("a schedule that remembers " + std::to_string(state().size()) +
                        " numbers cannot go on from " + std::to_string(numbers.size()));
    if (held_) of_->restore(held_, numbers);
  }

 private:
  // A table of functions for each type, written by hand: for ten schedules, classes with virtual functions in a
  // unique_ptr cost a fifteenth of the compile time of all of Tenon.
  struct operations {
    void* (*copy)(const void*);
    void (*destroy)(void*);
    double (*rate)(void*, const progress&);
    std::vector<double> (*state)(const void*);
    void (*restore)(void*, const std::vector<double>&);
  };
  template <class F>
  static constexpr operations operations_of = {
      [](const void* f) -> void* { return new F(*static_cast<const F*>(f)); },
      [](void* f) { delete static_cast<F*>(f); },
      [](void* f, const progress& p) { return static_cast<double>((*static_cast<F*>(f))(p)); },
      [](const void* f) -> std::vector<double> {
        if constexpr (requires(const F& schedule) { schedule.state(); })
          return static_cast<const F*>(f)->state();
        else return {};
      },
      []([[maybe_unused]] void* f, [[maybe_unused]] const std::vector<double>& numbers) {
        if constexpr (requires(F & schedule) { schedule.restore(numbers); })
          static_cast<F*>(f)->restore(numbers);
      }};

  void* held_ = nullptr;
  const operations* of_ = nullptr;
};

}  // namespace schedules

namespace engine {
[[gnu::noinline]] inline std::string short_text(double number) {
  std::string shown = tenon::detail::fixed(number);
  while (shown.find('.') != std::string::npos && (shown.back() == '0' || shown.back() == '.'))
    shown.pop_back();
  return shown;
}
[[noreturn, gnu::noinline]] inline void refuse_schedule(const char* expected, double got) {
  throw input_error(std::string(expected) + ", got " + short_text(got));
}
inline void check_schedule(bool is_right, const char* expected, double got) {
  if (!is_right) refuse_schedule(expected, got);
}
// Moves a number that rounding may have put just below a whole one above it.
TENON_ROUNDS_EACH inline double past_rounding(double x) {
  TENON_ROUNDS_EACH_HERE
  return x + 1e-9;
}
// The whole part of such a number.
inline double whole(double x) { return std::floor(past_rounding(x)); }
// The number at `share` of the way from the one to the other.
TENON_ROUNDS_EACH inline double between(double from, double to, double share) {
  TENON_ROUNDS_EACH_HERE
  return from + (to - from) * share;
}
inline double half_cosine(double from, double to, double share) {
  constexpr double pi = 3.14159265358979323846;
  return between(to, from, 0.5 * (1 + std::cos(pi * std::min(share, 1.0))));
}
}  // namespace engine

namespace schedules {

inline schedule constant(double rate) {
  engine::check_schedule(rate >= 0, "constant: expected a rate of at least 0", rate);
  return [rate](const progress&) { return rate; };
}
// From `rate` down to `last` along half a cosine over the whole training (Loshchilov and Hutter 2017).
inline schedule cosine(double rate, double last = 0) {
  engine::check_schedule(rate >= 0, "cosine: expected a rate of at least 0", rate);
  engine::check_schedule(last >= 0, "cosine: expected a last rate of at least 0", last);
  return [=](const progress& p) { return engine::half_cosine(rate, last, p.share()); };
}
// When schedules::step_decay lowers the rate: after every `epochs` epochs, or fractions of one, or after every `steps`
// steps if these are given. It is constant for `after` epochs, and first lowered one period after them.
struct decay_period {
  double epochs = 1;
  long steps = 0;
  double after = 0;  // epochs
};
#define TENON_MEMBERS_OF_DECAY_PERIOD ".epochs, .steps, .after"
// `rate`, multiplied by `factor` after each period; by default it is halved.
inline schedule step_decay(double rate, const decay_period& period, double factor = 0.5) {
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
#define TENON_SENTENCE                                                                                   \
  "step_decay takes a rate, a period in epochs or as in step_decay(1e-3, {.steps = 1000}), whose names " \
  "are " TENON_MEMBERS_OF_DECAY_PERIOD ", in this order, then a factor"
TENON_SAYS(TENON_SENTENCE) schedule step_decay(double, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
// After every `period` whole epochs.
inline schedule step_decay(double rate, double period, double factor = 0.5) {
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
// `rate`, multiplied by `factor` at each of these times, in epochs, in rising order: {30, 80.5}.
inline schedule multi_step(double rate, std::vector<double> epochs, double factor = 0.1) {
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
// `rate`, multiplied by `factor` after each epoch.
inline schedule exponential(double rate, double factor) {
  engine::check_schedule(rate >= 0, "exponential: expected a rate of at least 0", rate);
  engine::check_schedule(factor > 0, "exponential: expected a factor above 0", factor);
  return [=](const progress& p) { return rate * std::pow(factor, p.epoch); };
}
// From `rate` in equal steps to `last`, which it would reach after the last step.
inline schedule linear_decay(double rate, double last = 0) {
  engine::check_schedule(rate >= 0, "linear_decay: expected a rate of at least 0", rate);
  engine::check_schedule(last >= 0, "linear_decay: expected a last rate of at least 0", last);
  return [=](const progress& p) { return engine::between(rate, last, std::min(p.share(), 1.0)); };
}
// Up in equal steps to `highest`, which is reached at step `warm_up`, then down with the inverse square root of the
// number of steps (Vaswani et al. 2017).
inline schedule inverse_square_root(double highest, long warm_up) {
  engine::check_schedule(highest >= 0, "inverse_square_root: expected a highest rate of at least 0", highest);
  engine::check_schedule(warm_up >= 1, "inverse_square_root: expected a warm-up of at least 1 step",
                         static_cast<double>(warm_up));
  return [=](const progress& p) {
    const double now = static_cast<double>(p.step + 1), top = static_cast<double>(warm_up);
    return highest * std::min(now / top, std::sqrt(top / now));
  };
}

}  // namespace schedules

namespace engine {
struct warming_up {
  long steps;
  schedules::schedule then;

  double operator()(const schedules::progress& p) const {
    const double rate = then(p);
    return p.step >= steps ? rate : rate * static_cast<double>(p.step + 1) / static_cast<double>(steps);
  }
  std::vector<double> state() const { return then.state(); }
  void restore(const std::vector<double>& numbers) { then.restore(numbers); }
};
}  // namespace engine

namespace schedules {

// In equal steps up to the rates of another schedule, which are reached at step `steps`.
inline schedule warm_up(long steps, schedule then) {
  engine::check_schedule(steps >= 0, "warm_up: expected at least 0 steps", static_cast<double>(steps));
  if (!then) throw input_error("warm_up: expected a schedule to climb to, got an empty one");
  return engine::warming_up{steps, std::move(then)};
}
// Up along half a cosine from a 25th of `highest` in the first 3/10 of the training, then down to a ten-thousandth of
// the starting rate (Smith and Topin 2018; the numbers are those of PyTorch's OneCycleLR).
inline schedule one_cycle(double highest) {
  engine::check_schedule(highest >= 0, "one_cycle: expected a highest rate of at least 0", highest);
  return [=](const progress& p) {
    constexpr double rising = 0.3;
    const double first = highest / 25, share = p.share();
    if (share < rising) return engine::half_cosine(first, highest, share / rising);
    return engine::half_cosine(highest, first / 1e4, (share - rising) / (1 - rising));
  };
}

}  // namespace schedules

}  // namespace tenon
