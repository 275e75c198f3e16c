// training_loop: the epochs of fit, each a pass over the data, then a validation, a line of progress and the decision
// whether to continue; and one pass of evaluate.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/distribute/agreement.hpp"
#include "tenon/distribute/gather_all.hpp"
#include "tenon/train/loop/batch_source.hpp"
#include "tenon/train/loop/fit_options.hpp"
#include "tenon/train/optimizers/rule_numbers.hpp"
#include "tenon/train/reports/progress.hpp"
#include "tenon/train/reports/stopwatch.hpp"
#include "tenon/train/trainer/unfinished_update.hpp"
#include "tenon/train/trainer/world_of.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace reports {
// The result of evaluate.
struct evaluation {
  double loss = 0;
  std::vector<double> metrics{};
};
}  // namespace reports

namespace engine {

struct loop_checkpoint_access;  // for checkpoint.hpp

template <class Trainer>
class training_loop {
 public:
  using evaluation_type = typename Trainer::evaluation_type;
  using parameters_type = std::remove_reference_t<decltype(std::declval<Trainer&>().theta())>;

  training_loop(Trainer& trainer, const fit_options<Trainer>& options)
      : trainer_(trainer), options_(options), schedule_(options.schedule) {
    if (options.epochs < 0)
      throw input_error("fit: expected at least 0 epochs, got " + std::to_string(options.epochs));
    if (!options.metrics.empty() && !options.validate)
      throw input_error("fit: metrics are of a validation; add .validate = held_out");
    if (options.stop) stopping_.emplace(*options.stop);
    if (options.schedule && !has_rate)
      throw input_error("fit: the update rule has no learning_rate for a schedule to set");
    if (options.validate_average && !options.validate)
      throw input_error("fit: validate_average: there is no validation; add .validate = held_out");
    if (options.validate_average && !(trainer.average_decay > 0))
      throw input_error("fit: validate_average: there is no average; set trainer.average_decay = 0.999");
    history_.metric_names = names_of(options.metrics);
    if (options.stop && !options.stop->metric.empty())
      watched_metric_ = number_of_metric(options.stop->metric);
    options.after_epoch.check_metrics(options.metrics.size());
  }

  template <class Data>
  reports::history run(const Data& data) {
    check_all<Trainer>(data);
    auto source = source_of<Trainer>(data, options_.batches, options_.shuffle);
    if (options_.validate && options_.epochs > 0) {
      evaluation_ = std::make_unique<evaluation_type>();
      options_.validate.check_windows(*evaluation_);
    }
    progress_.epochs = options_.epochs;
    data_rows_ = rows_ = source.size(trainer_);
    carried_count_ = source.carried_count;
    if constexpr (OfRanks<Trainer>)
      if (world_of(trainer_).size() > 1) agree();
    if (options_.checkpoint) options_.checkpoint.load(*this);
    if constexpr (OfRanks<Trainer>) agree_on_progress();
    try {
      train_all(source);
    } catch (...) {  // a training that fails keeps what it learned before, and no part of an update
      unfinished_.take_back(trainer_);
      try {
        restore_best();
      } catch (...) {  // the first failure is reported
      }
      throw;
    }
    restore_best();
    return std::move(history_);
  }
  reports::evaluation evaluate(evaluation_type& session, const parameters_type& theta) {
    session.reset();
    for (const auto& metric : options_.metrics) metric.reset();
    options_.validate.for_each_batch(session, [&] {
      session.add(theta);
      for (const auto& metric : options_.metrics) metric.add(session);
    });
    reports::evaluation report{.loss = session.loss()};
    for (const auto& metric : options_.metrics) report.metrics.push_back(metric.value());
    return report;
  }

 private:
  friend loop_checkpoint_access;
  static constexpr bool has_rate = unfinished_update<Trainer>::has_rate;

  void train_all(BatchSource<Trainer> auto& source) {
    while (progress_.epoch < options_.epochs && !has_ended_) {
      const tenon::detail::stopwatch watch;
      const double waited = world_of(trainer_).seconds_waited();
      reports::epoch report{.epoch = progress_.epoch + 1};
      report.loss = train(source, report.epoch);
      if (options_.validate) {
        auto [loss, metrics] = options_.validate_average ? evaluate(*evaluation_, trainer_.averaged())
                                                         : evaluate(*evaluation_, trainer_.theta());
        report.validation_loss = loss;
        report.metrics = std::move(metrics);
      }
      report.learning_rate = rate();
      report.seconds = watch.seconds();
      history_.epochs.push_back(report);
      progress_.loss = options_.validate ? report.validation_loss : report.loss;
      ++progress_.epoch;
      write_line(report, world_of(trainer_).seconds_waited() - waited);
      has_ended_ = !all_continue(continues_after(report));
      const bool is_last = has_ended_ || progress_.epoch == options_.epochs;
      if (options_.checkpoint.is_due_after(report.epoch) || (options_.checkpoint && is_last))
        options_.checkpoint.save(*this);
    }
  }
  // With several ranks: what they must have alike, beside what the trainer compares.
  void agree() const {
    distribute::agreement same;
    same.add("rows of data", static_cast<double>(data_rows_));
    same.add("epochs", options_.epochs);
    same.add("seed of shuffle", static_cast<double>(options_.shuffle.value));
    same.add("number of batches sorted together", options_.batches.sorted_together);
    std::string metrics;
    for (const std::string& name : history_.metric_names) metrics += name + "; ";
    same.add_text("metrics", metrics);
    same.add("use of .validate", options_.validate ? 1 : 0);
    same.add("value of .validate_average", options_.validate_average ? 1 : 0);
    same.add("patience of .stop", options_.stop ? options_.stop->patience : 0);
    same.add("value of .stop's restore_best", options_.stop && options_.stop->restore_best ? 1 : 0);
    same.add("use of .schedule", options_.schedule ? 1 : 0);
    same.add("epochs between checkpoints", options_.checkpoint.every());
    same.add("steps between checkpoints", static_cast<double>(options_.checkpoint.steps()));
    trainer_.tell(same);
    same.check(world_of(trainer_), "fit");
  }
  void agree_on_progress() const {
    distribute::agreement same;
    same.add("epochs of the checkpoint", progress_.epoch);
    same.add("steps of the checkpoint", static_cast<double>(progress_.step));
    same.check(world_of(trainer_), "fit");
  }
  // A rank whose after_epoch returns false ends the training of all.
  bool all_continue(bool mine) const {
    if constexpr (OfRanks<Trainer>)
      for (const char theirs : distribute::gather_all(world_of(trainer_), std::vector<char>{mine}))
        mine = mine && theirs != 0;
    return mine;
  }
  void restore_best() {
    if (kept_) {
      trainer_.theta() = *kept_;
      write_kept();
    }
    if (kept_average_.size() > 0) trainer_.average_ = kept_average_;
  }
  template <BatchSource<Trainer> Source>
  double train(Source& source, int epoch) {
    if (!Source::can_pause) position_ = {};
    checked_size(source);
    source.begin(trainer_, epoch, position_);
    const long rows = rows_ = checked_size(source);
    const long together = std::max(trainer_.accumulate, 1);
    progress_.steps = (source.batches() + together - 1) / together * options_.epochs;
    progress_.starts_epoch = position_.batch == 0;
    reports::progress_bar bar(
        options_.label + " " + std::to_string(epoch) + "/" + std::to_string(options_.epochs), rows,
        system_calls::can_redraw(stderr) && is_first_rank(trainer_));
    if (position_.batch == 0) total_ = 0;
    long done = source.rows_before();
    if (begun_at_ < 0) begun_at_ = epochs_done(done);
    const std::string metrics = bar.is_visible() ? metrics_of_last_epoch() : "";
    for (long left = source.batches() - position_.batch; left > 0; --left) {
      const long some = source.next(trainer_);
      if (trainer_.pending() == 0) begin_update();
      total_ += static_cast<double>(trainer_.step()) * static_cast<double>(some);
      source.passed(trainer_);
      if (left == 1) trainer_.update();
      if (trainer_.pending() == 0) ++progress_.step;
      done += some;
      progress_.starts_epoch = false;
      if (bar.is_visible())
        bar.show(done, total_ / static_cast<double>(done), rate(), seconds_left(done), metrics);
      if (Source::can_pause && left > 1 && trainer_.pending() == 0 &&
          options_.checkpoint.is_due_after_step(trainer_.steps())) {
        position_ = source.position(trainer_);
        options_.checkpoint.save(*this);
      }
    }
    position_ = {};
    return total_ / static_cast<double>(rows);
  }
  template <BatchSource<Trainer> Source>
  long checked_size(Source& source) const {
    const long rows = source.size(trainer_);
    if (rows <= 0) throw input_error("fit: the data set is empty");
    return rows;
  }
  double rate() const { return unfinished_update<Trainer>::rate_of(trainer_); }
  void begin_update() {
    unfinished_.begin(trainer_);
    if constexpr (has_rate)
      if (schedule_) {
        progress_.learning_rate = rate();
        const double next = schedule_(progress_);
        check_rate(next);
        trainer_.optimizer().learning_rate = next;
      }
  }
  bool continues_after(const reports::epoch& report) {
    const double loss = judged(report);
    if (history_.best_epoch == 0 ? !std::isnan(loss) : loss < best_loss_) {
      history_.best_epoch = report.epoch;
      best_loss_ = loss;
      if (options_.stop && options_.stop->restore_best) keep();
    }
    bool continues = true;
    if (stopping_) {
      stopping_->look_at(loss);
      continues = stopping_->continues();
    }
    return options_.after_epoch(report) && continues;
  }
  // The value that is lowest in the best epoch.
  double judged(const reports::epoch& report) const {
    if (watched_metric_ < 0) return options_.validate ? report.validation_loss : report.loss;
    const double value = report.metrics[static_cast<std::size_t>(watched_metric_)];
    return options_.metrics[static_cast<std::size_t>(watched_metric_)].lower_is_better() ? value : -value;
  }
  int number_of_metric(const std::string& name) const {
    std::string all;
    int number = -1, found = 0;
    for (std::size_t k = 0; k < history_.metric_names.size(); ++k) {
      if (history_.metric_names[k] == name) {
        number = static_cast<int>(k);
        ++found;
      }
      all += (k == 0 ? "" : ", ") + ("'" + history_.metric_names[k] + "'");
    }
    if (found == 1) return number;
    if (found > 1)
      throw input_error("early_stopping: " + std::to_string(found) + " metrics are named '" + name +
                        "'; give the one to watch a name() of its own");
    throw input_error("early_stopping: no metric is named '" + name + "'; " +
                      (all.empty() ? "add .metrics = {..} to the options of fit" : "the metrics are " + all));
  }
  void keep() {
    if (kept_) *kept_ = trainer_.theta();
    else kept_.emplace(trainer_.theta());
    kept_average_ = trainer_.average_;
  }
  double epochs_done(long rows) const {
    return progress_.epoch + static_cast<double>(rows) / static_cast<double>(rows_);
  }
  // Of the whole training, at the speed so far; `rows` of this epoch are done.
  double seconds_left(long rows) const {
    const double done = epochs_done(rows);
    return done > begun_at_ ? watch_.seconds() * (options_.epochs - done) / (done - begun_at_) : 0;
  }
  std::string metrics_of(const reports::epoch& report) const {
    std::string all;
    for (std::size_t k = 0; k < report.metrics.size(); ++k)
      all += (k == 0 ? "" : "  ") + history_.metric_names[k] + " " + short_number(report.metrics[k]);
    return all;
  }
  std::string metrics_of_last_epoch() const {
    return history_.epochs.empty() ? "" : metrics_of(history_.epochs.back());
  }
  void write_line(const reports::epoch& report, double waited) const {
    if (options_.log == nullptr || !is_first_rank(trainer_)) return;
    std::fprintf(options_.log, "%s %d/%d  rate %s  loss %s", options_.label.c_str(), report.epoch,
                 options_.epochs, tenon::detail::general(report.learning_rate, 3).c_str(),
                 short_number(report.loss).c_str());
    if (options_.validate)
      std::fprintf(options_.log, "  validation loss %s", short_number(report.validation_loss).c_str());
    if (!report.metrics.empty()) std::fprintf(options_.log, "  %s", metrics_of(report).c_str());
    std::fprintf(options_.log, "  %s s", tenon::detail::fixed(report.seconds, 2).c_str());
    if (waited > 0)  // for other ranks
      std::fprintf(options_.log, ", %s of them waiting", tenon::detail::fixed(waited, 2).c_str());
    if (report.epoch < options_.epochs)
      std::fprintf(options_.log, "  %s left", short_time(seconds_left(0)).c_str());
    std::fputc('\n', options_.log);
    std::fflush(options_.log);
  }

  // Reports which parameters a training with early stopping ends with.
  void write_kept() const {
    if (options_.log == nullptr || !is_first_rank(trainer_)) return;
    std::fprintf(options_.log, "%s %d/%d was the best: its parameters are kept\n", options_.label.c_str(),
                 history_.best_epoch, options_.epochs);
    std::fflush(options_.log);
  }

  Trainer& trainer_;
  const fit_options<Trainer>& options_;
  unfinished_update<Trainer> unfinished_{};
  schedules::schedule schedule_;  // a copy: what it remembers ends with the training
  reports::history history_{};
  schedules::progress progress_{};
  std::optional<stopping_rule> stopping_{};
  std::optional<parameters_type> kept_{};  // of the best epoch
  parameter_block<typename Trainer::T> kept_average_{};
  double best_loss_ = 0;  // or of what early stopping watches in its place
  int watched_metric_ = -1;
  tenon::detail::stopwatch watch_;  // time of this run; begun_at_: at how many epochs it began
  double begun_at_ = -1;
  long rows_ = 0;                  // of the data, in this epoch
  long data_rows_ = 0;             // in the first one, by which a checkpoint knows the data
  std::size_t carried_count_ = 0;  // numbers of the state that the source carries
  source_position position_{};     // of an epoch that is continued
  double total_ = 0;               // loss of the rows of the epoch
  bool has_ended_ = false;
  std::unique_ptr<evaluation_type> evaluation_{};
};

}  // namespace engine
}  // namespace tenon::inline v0_1
