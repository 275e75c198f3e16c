// schedules::rate_range_test: which learning rates train a network? It takes steps at exponentially rising
// rates and records their losses (Smith 2017, "Cyclical Learning Rates for Training Neural Networks"; the
// numbers are those of fastai's finder).
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/meta/rounding.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/reports/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tenon::inline v0_1 {

namespace schedules {

struct rate_range_options {
  double low = 1e-7, high = 10;  // the rates of the first and of the last step
  int steps = 100;
  double smoothing =
      0.98;  // the smoothed loss is a mean of all so far; each weighs this times the next one's weight
  // The test ends when the smoothed loss exceeds the lowest by (divergence - 1) times the lowest. If the lowest is not
  // above 0, it is by (divergence - 1) times the largest absolute smoothed loss until then.
  double divergence = 4;
  seed shuffle{};  // as in fit
  detail::batching batches{};
};
#define TENON_MEMBERS_OF_RATE_RANGE_OPTIONS ".low, .high, .steps, .smoothing, .divergence, .shuffle, .batches"

}  // namespace schedules

namespace detail {
struct rate_point {
  double rate = 0, loss = 0, smoothed = 0;
};
}  // namespace detail

namespace schedules {

class rate_curve {
 public:
  std::vector<detail::rate_point> points{};  // one for each step; the loss is that before the step
  bool is_diverged = false;                  // did it end before the last rate?

  // The rate at which the smoothed loss falls most steeply over the logarithm of the rate. The first tenth of the steps
  // is left out, because few losses are in the mean there. Throws input_error if it falls nowhere.
  double steepest() const {
    const double rate = find_steepest();
    if (rate == 0)
      throw input_error("rate_range_test: the loss falls at none of " + std::to_string(points.size()) +
                        " rates; try more steps, or other rates");
    return rate;
  }
  // The rate at which the smoothed loss is lowest: there the network is near divergence. Train
  // at a tenth of it at most.
  double lowest() const {
    if (points.empty()) throw input_error("rate_range_test: no step was taken");
    return std::min_element(points.begin(), points.end(),
                            [](const detail::rate_point& a, const detail::rate_point& b) {
                              return a.smoothed < b.smoothed;
                            })
        ->rate;
  }

  // A line for each step, under a line of titles.
  std::string csv() const {
    std::string all = "step,rate,loss,smoothed\n";
    for (std::size_t k = 0; k < points.size(); ++k)
      all += std::to_string(k + 1) + "," + tenon::detail::general(points[k].rate, 6) + "," +
             tenon::detail::general(points[k].loss, 6) + "," + tenon::detail::general(points[k].smoothed, 6) +
             "\n";
    return all;
  }
  // The losses over the logarithm of the rate, as a drawing.
  std::string svg() const;
  // Writes csv() to a file whose name ends in .csv, svg() to one in .svg. Throws input_error if the file cannot be
  // written, and for another ending: then csv() is written to that name with .csv added.
  void save(const std::string& path) const { detail::save_curve(path, "rate_range_test", svg(), csv()); }

 private:
  // 0 if it falls nowhere.
  double find_steepest() const {
    double best = 0, rate = 0;
    for (std::size_t k = std::max<std::size_t>(1, points.size() / 10); k + 1 < points.size(); ++k)
      if (const double rise = points[k + 1].smoothed - points[k - 1].smoothed; rise < best) {
        best = rise;
        rate = points[k].rate;
      }
    return rate;
  }
};

inline std::string rate_curve::svg() const {
  std::vector<double> rates, losses, smoothed;
  for (const detail::rate_point& p : points) {
    rates.push_back(p.rate);
    losses.push_back(p.loss);
    smoothed.push_back(p.smoothed);
  }
  detail::chart_axes axes{
      .below = "learning rate", .beside = "loss", .first = 1, .last = 10, .is_logarithmic = true};
  if (!points.empty()) {
    axes.first = rates.front();
    axes.last = rates.back();
    // From 0 to the loss from which it fell, or to three times the least one: what diverges is cut off.
    const auto least = std::min_element(smoothed.begin(), smoothed.end());
    axes.lowest = std::min(0.0, 1.25 * *least);
    axes.highest =
        std::max(1.05 * *std::max_element(smoothed.begin(), least + 1), *least + 2 * std::abs(*least));
  }
  detail::svg drawing(detail::chart::width, 360, detail::chart::font_size);
  drawing.title(16, 20, "Learning rate range test");
  detail::chart chart(drawing, 30, 330, axes);
  if (const double rate = find_steepest(); rate > 0)
    chart.mark(rate, "suggested, where it falls most steeply: " + tenon::detail::general(rate, 2));
  chart.line("each step", "#aec7e8", rates, losses);
  chart.line("smoothed", "#d62728", rates, smoothed);
  return drawing.written();
}

}  // namespace schedules

namespace engine {

template <class Trainer>
struct unfit_rate_range {
  static constexpr problem wrong = [] {
    if constexpr (!requires { typename Trainer::evaluation_type; })
      return problem{.rule = "the first argument is not a trainer",
                     .fix = "write schedules::rate_range_test(trainer, data)"};
    else if constexpr (!requires(Trainer & t) { t.optimizer().learning_rate = 0.1; })
      return problem{.rule = "the update rule of this trainer has no learning_rate to be tried",
                     .fix = "give the rule a member double learning_rate"};
    else return problem{};
  }();
};

inline void check_rate_range(const schedules::rate_range_options& o) {
  check_schedule(o.low > 0, "rate_range_test: expected a lowest rate above 0", o.low);
  check_schedule(o.high > o.low && std::isfinite(o.high),
                 "rate_range_test: expected a highest rate above the lowest", o.high);
  check_schedule(o.steps >= 3, "rate_range_test: expected at least 3 steps", o.steps);
  check_schedule(o.smoothing >= 0 && o.smoothing < 1,
                 "rate_range_test: expected a smoothing of at least 0 and below 1", o.smoothing);
  check_schedule(o.divergence > 1, "rate_range_test: expected a divergence above 1", o.divergence);
}

// Thrown to leave fit between two steps. Not inside the function that throws it, where its name
// would include the graph's.
struct range_finished {};
// Collects the losses of the steps. The mean is that of Kingma and Ba 2015, with their bias correction.
class rate_recorder {
 public:
  explicit rate_recorder(const schedules::rate_range_options& options) : options_(options) {}
  double rate_of(long step) const {
    return options_.low *
           std::pow(options_.high / options_.low, static_cast<double>(step) / (options_.steps - 1));
  }
  // Returns whether the test continues.
  TENON_ROUNDS_EACH bool take(double loss) {
    TENON_ROUNDS_EACH_HERE
    weight_ *= options_.smoothing;
    mean_ = options_.smoothing * mean_ + (1 - options_.smoothing) * loss;
    const double smoothed = mean_ / (1 - weight_);
    curve_.points.push_back({rate_of(static_cast<long>(curve_.points.size())), loss, smoothed});
    largest_ = std::max(largest_, std::abs(smoothed));
    if (smoothed < lowest_) {
      lowest_ = smoothed;
      size_ = smoothed > 0 ? smoothed : largest_;
    }
    curve_.is_diverged = smoothed > lowest_ + (options_.divergence - 1) * size_;
    return !curve_.is_diverged && static_cast<int>(curve_.points.size()) < options_.steps;
  }
  schedules::rate_curve& curve() { return curve_; }

 private:
  const schedules::rate_range_options& options_;
  schedules::rate_curve curve_{};
  double mean_ = 0, weight_ = 1, largest_ = 0, lowest_ = std::numeric_limits<double>::infinity();
  double size_ = 0;  // of the losses, when the lowest was found
};

// Restores a trainer to its former state, however the test ends.
template <class Trainer>
struct restored_trainer {
  Trainer& trainer;
  typename Trainer::state_type before = trainer.state();
  ~restored_trainer() { trainer.restore(before); }
};

}  // namespace engine

namespace schedules {

// Takes steps of the trainer over batches of the data, as fit does, epoch after epoch. Afterwards the parameters, the
// states and numbers of the update rule and the count of steps are what they were; the inputs and the loss of the last
// step are not. A loss that is no longer finite ends the test; if the first one is not finite, training_error is
// thrown. Throws input_error for options out of range.
template <class Trainer, class Data>
rate_curve rate_range_test(Trainer& trainer, const Data& data, const rate_range_options& options = {}) {
  if constexpr (engine::unfit_rate_range<Trainer>::wrong) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_rate_range<Trainer>>>();
    return {};
  } else {
    engine::check_rate_range(options);
    const engine::restored_trainer<Trainer> restored{trainer};
    engine::rate_recorder recorder(options);
    // fit asks for a rate before each step: by then the loss of the previous step is known.
    const auto next_rate = [&](const progress& p) {
      if (p.step > 0 && !recorder.take(static_cast<double>(trainer.loss()))) throw engine::range_finished();
      return recorder.rate_of(p.step);
    };
    try {
      fit(trainer, data,
          {.epochs = options.steps + 1,
           .shuffle = options.shuffle,
           .batches = options.batches,
           .schedule = next_rate,
           .label = "rates",
           .log = nullptr});
    } catch (engine::range_finished) {
    } catch (const training_error&) {
      if (recorder.curve().points.empty()) throw;
      recorder.curve().is_diverged = true;
    }
    return recorder.curve();
  }
}
#define TENON_SENTENCE                                                                      \
  "rate_range_test takes a trainer, data, and options by their names in this order, as in " \
  "rate_range_test(trainer, data, {.low = 1e-5}): " TENON_MEMBERS_OF_RATE_RANGE_OPTIONS
template <TENON_SAYS_AND(TENON_SENTENCE) class Curve = rate_curve>
Curve rate_range_test(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace schedules

}  // namespace tenon::inline v0_1
