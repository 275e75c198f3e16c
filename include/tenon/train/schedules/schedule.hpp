// Learning rates over time, as values: fit(trainer, data, {.epochs = 30, .schedule = schedules::cosine(2e-3)}). A
// schedule is any function from the progress of a training to a rate; fit calls it before each step. Arguments
// out of range throw input_error.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/meta/erased.hpp"
#include "tenon/meta/rounding.hpp"

#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

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
  schedule& operator=(schedule other) noexcept;
  ~schedule() {
    if (held_) of_->destroy(held_);
  }

  explicit operator bool() const { return held_ != nullptr; }
  double operator()(const progress& p) const { return of_->rate(held_, p); }
  std::vector<double> state() const { return held_ ? of_->state(held_) : std::vector<double>{}; }
  // Throws input_error if these are not the numbers of such a schedule.
  void restore(const std::vector<double>& numbers);

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
std::string short_text(double number);
[[noreturn]] void refuse_schedule(const char* expected, double got);
// Nor is a number right that is not finite.
inline void check_schedule(bool is_right, const char* expected, double got) {
  if (!is_right || !std::isfinite(got)) refuse_schedule(expected, got);
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
double half_cosine(double from, double to, double share);
}  // namespace engine

namespace schedules {

schedule constant(double rate);
// From `rate` down to `last` along half a cosine over the whole training (Loshchilov and Hutter 2017).
schedule cosine(double rate, double last = 0);
// When schedules::step_decay lowers the rate: after every `epochs` epochs, or fractions of one, or after every `steps`
// steps if these are given. It is constant for `after` epochs, and first lowered one period after them.
struct decay_period {
  double epochs = 1;
  long steps = 0;
  double after = 0;  // epochs
};
#define TENON_MEMBERS_OF_DECAY_PERIOD ".epochs, .steps, .after"
// `rate`, multiplied by `factor` after each period; by default it is halved.
schedule step_decay(double rate, const decay_period& period, double factor = 0.5);
#define TENON_SENTENCE                                                                                   \
  "step_decay takes a rate, a period in epochs or as in step_decay(1e-3, {.steps = 1000}), whose names " \
  "are " TENON_MEMBERS_OF_DECAY_PERIOD ", in this order, then a factor"
TENON_SAYS(TENON_SENTENCE) schedule step_decay(double, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
// After every `period` whole epochs.
schedule step_decay(double rate, double period, double factor = 0.5);
// `rate`, multiplied by `factor` at each of these times, in epochs, in rising order: {30, 80.5}.
schedule multi_step(double rate, std::vector<double> epochs, double factor = 0.1);
// `rate`, multiplied by `factor` after each epoch.
schedule exponential(double rate, double factor);
// From `rate` in equal steps to `last`, which it would reach after the last step.
schedule linear_decay(double rate, double last = 0);
// Up in equal steps to `highest`, which is reached at step `warm_up`, then down with the inverse square root of the
// number of steps (Vaswani et al. 2017).
schedule inverse_square_root(double highest, long warm_up);

}  // namespace schedules

namespace engine {
struct warming_up {
  long steps;
  schedules::schedule then;

  double operator()(const schedules::progress& p) const;
  std::vector<double> state() const { return then.state(); }
  void restore(const std::vector<double>& numbers) { then.restore(numbers); }
};
}  // namespace engine

namespace schedules {

// In equal steps up to the rates of another schedule, which are reached at step `steps`.
schedule warm_up(long steps, schedule then);
// Up along half a cosine from a 25th of `highest` in the first 3/10 of the training, then down to a ten-thousandth of
// the starting rate (Smith and Topin 2018; the numbers are those of PyTorch's OneCycleLR).
schedule one_cycle(double highest);

}  // namespace schedules

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/train/schedules/schedule.ipp"
#endif
