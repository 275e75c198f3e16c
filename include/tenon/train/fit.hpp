// fit(trainer, data, options): the training loop. Epochs of shuffled batches, a schedule of the learning rate, validation with
// metrics, early stopping, a line of progress; returns the history of the epochs.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/engine/session/batches.hpp"
#include "tenon/train/any_metric.hpp"
#include "tenon/train/early_stopping.hpp"
#include "tenon/train/groups.hpp"
#include "tenon/train/history.hpp"
#include "tenon/train/progress.hpp"
#include "tenon/train/schedule.hpp"
#include "tenon/train/stopwatch.hpp"
#include "tenon/train/trainer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon {

namespace engine {

// Rows that a session can be given: data_set, or a type of one's own with these two.
template <class Data, class Session>
concept RowsFor = requires(const Data& data, Session& session, std::span<const int> rows) {
  { data.size() } -> std::convertible_to<int>;
  data.set_inputs(session, rows);
};
// Windows that follow each other, where a state is carried from one to the next: contiguous.
template <class Data, class Session>
concept WindowsFor = requires(const Data& data, Session& session) {
  { data.windows(session) } -> std::convertible_to<int>;
  data.set_window(session, 0);
  data.start(session);
  data.carry(session);
};
template <class Data, class Session>
concept DataFor = RowsFor<Data, Session> || WindowsFor<Data, Session>;

// Calls f(rows) with the inputs of each batch set, in their order.
template <class Data, class Session, class F>
void for_each_in_order(const Data& data, Session& session, F f) {
  if constexpr (WindowsFor<Data, Session>) {
    data.start(session);
    for (int k = 0; k < data.windows(session); ++k) {
      data.set_window(session, k), f();
      data.carry(session);
    }
  } else {
    if (data.size() <= 0) throw input_error("evaluate: the data set is empty");
    std::vector<int> all(static_cast<std::size_t>(data.size()));
    std::iota(all.begin(), all.end(), 0);
    for_each_batch(all, Session::plan::batch,
                   [&](std::span<const int> rows) { data.set_inputs(session, rows), f(); });
  }
}

template <class Data, class Session>
struct unfit_data {
  static constexpr problem wrong = [] {
    if constexpr (DataFor<Data, Session>) return unfit_part<Data, Session>::wrong;
    else
      return problem{
          .rule = sentence("'").append(type_name<Data>().view()).append("' is no data set"),
          .fix =
              "write data_set(column<\"x\">(..), column<\"target\">(..)), or a type with size() and "
              "set_inputs(session, rows)"};
  }();
};

// The data that validates, whatever its type.
template <class Evaluation>
class any_data {
 public:
  any_data() = default;
  template <class Data>
  requires(!std::same_as<Data, any_data>) any_data(Data data) {
    using unfit = unfit_data<Data, Evaluation>;
    if constexpr (unfit::wrong) tenon::detail::say<tenon::detail::error_in<unfit>>();
    else
      run_ = [data = std::move(data)](Evaluation& session, const std::function<void()>& f) {
        for_each_in_order(data, session, [&] { f(); });
      };
  }
  explicit operator bool() const { return static_cast<bool>(run_); }
  void for_each_batch(Evaluation& session, const std::function<void()>& f) const { run_(session, f); }

 private:
  std::function<void(Evaluation&, const std::function<void()>&)> run_;
};

template <class F>
struct unfit_callback {
  static constexpr problem wrong{.rule = "fit calls after_epoch(report), and this one does not take it",
                                 .fix = "write [](const epoch_report& report) { .. }"};
};
// What is called behind each epoch: f(report), which may return a bool: false ends the training.
class epoch_callback {
 public:
  epoch_callback() = default;
  template <class F>
  requires(!std::same_as<F, epoch_callback>) epoch_callback(F f) {
    if constexpr (!std::invocable<F&, const epoch_report&>)
      tenon::detail::say<tenon::detail::error_in<unfit_callback<F>>>();
    else if constexpr (std::same_as<std::invoke_result_t<F&, const epoch_report&>, bool>)
      call_ = std::move(f);
    else call_ = [f = std::move(f)](const epoch_report& report) mutable { return f(report), true; };
  }
  bool operator()(const epoch_report& report) const { return !call_ || call_(report); }

 private:
  std::function<bool(const epoch_report&)> call_;
};

struct checkpoint_access;  // lets checkpoint.hpp in

// Where a training is saved, whatever that is: a `checkpoint`, for which checkpoint.hpp is included.
template <class Loop>
class any_checkpoint {
 public:
  any_checkpoint() = default;
  template <class Given>
  requires requires(const Given& given, Loop& loop) { given.save(loop), given.load(loop); }
  any_checkpoint(Given given) : held_(std::make_shared<holder<Given>>(std::move(given))) {}

  explicit operator bool() const { return static_cast<bool>(held_); }
  void load(Loop& loop) const { held_->load(loop); }
  void save(Loop& loop) const { held_->save(loop); }
  bool is_due_after(int epoch) const { return held_ && epoch % held_->epochs() == 0; }
  bool is_due_after_step(long step) const {
    return held_ && held_->steps() > 0 && step % held_->steps() == 0;
  }

 private:
  struct interface {
    virtual ~interface() = default;
    virtual void load(Loop&) const = 0;
    virtual void save(Loop&) const = 0;
    virtual int epochs() const = 0;
    virtual long steps() const = 0;
  };
  template <class Given>
  struct holder final : interface {
    Given given;
    explicit holder(Given g) : given(std::move(g)) {}
    void load(Loop& loop) const override { given.load(loop); }
    void save(Loop& loop) const override { given.save(loop); }
    int epochs() const override { return given.every; }
    long steps() const override { return given.steps; }
  };
  std::shared_ptr<const interface> held_;
};
template <class Trainer>
class training_loop;

struct called_epoch {    // what {.epoch = 2} makes
  struct given_number {  // nothing makes one of {}
    given_number(auto) {}
  } epoch;
};
template <class Trainer>
struct misspelt_epochs {
  static constexpr problem wrong{.rule = "fit has no option 'epoch'", .fix = "write {.epochs = 30}"};
};

}  // namespace engine

template <class Trainer>
struct fit_options {
  int epochs = 1;
  seed shuffle{};      // the order of the rows: same seed, same order
  batching batches{};  // similar_length(20): rows of similar length run together
  engine::any_data<typename Trainer::evaluation_type> validate{};  // data that is not trained on
  std::vector<engine::any_metric<typename Trainer::evaluation_type>> metrics{};  // of the validation
  bool validate_average =
      false;                 // what is validated is the average of the parameters: see trainer::average_decay
  rate_schedule schedule{};  // of the learning rate; none: it stays
  std::optional<early_stopping> stop{};  // by the loss of the validation; without one, of the training
  engine::any_checkpoint<engine::training_loop<Trainer>>
      checkpoint{};                      // checkpoint{"run.ckpt"}: see checkpoint.hpp
  engine::epoch_callback after_epoch{};  // f(const epoch_report&); where it returns false, training ends
  std::string label = "epoch";           // of the lines
  std::FILE* log =
      ::isatty(STDERR_FILENO) != 0 ? stderr : nullptr;  // where each epoch writes a line; null: nowhere
};

// What evaluate found.
struct evaluation_report {
  double loss = 0;
  std::vector<double> metrics{};
};

namespace engine {

template <class Trainer, class Data, class Session>
struct unfit_fit {
  static constexpr problem wrong = unfit_data<Data, Session>::wrong;
};
template <class Trainer, class Data>
struct unfit_fit<Trainer, Data, void> {
  static constexpr problem wrong{.rule = "what is to be trained is no trainer",
                                 .fix = "write fit(trainer, data, {.epochs = 30})"};
};
template <class Options>
struct unfit_options {
  static constexpr problem wrong{.rule = "fit takes its options behind the data, in braces",
                                 .fix = "write fit(trainer, data, {.epochs = 30})"};
};

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
    if (options.validate_average && !(trainer.average_decay > 0))
      throw input_error("fit: validate_average: there is no average; set trainer.average_decay = 0.999");
    for (const auto& metric : options.metrics) history_.metric_names.push_back(metric.name());
  }

  template <class Data>
  training_history run(const Data& data) {
    progress_.epochs = options_.epochs;
    rows_ = rows_of(data);
    if (options_.checkpoint) options_.checkpoint.load(*this);
    while (progress_.epoch < options_.epochs && !has_ended_) {
      const tenon::detail::stopwatch watch;
      epoch_report report{.epoch = progress_.epoch + 1};
      report.loss = train(data, report.epoch);
      if (options_.validate) {
        if (!evaluation_) evaluation_ = std::make_unique<evaluation_type>();
        auto [loss, metrics] = options_.validate_average ? evaluate(*evaluation_, trainer_.averaged())
                                                         : evaluate(*evaluation_, trainer_.theta());
        report.validation_loss = loss, report.metrics = std::move(metrics);
      }
      report.learning_rate = rate(), report.seconds = watch.seconds();
      history_.epochs.push_back(report);
      progress_.loss = options_.validate ? report.validation_loss : report.loss;
      ++progress_.epoch;
      write_line(report);
      has_ended_ = !goes_on_after(report);
      if (options_.checkpoint.is_due_after(report.epoch) || (options_.checkpoint && has_ended_))
        options_.checkpoint.save(*this);
    }
    if (kept_) trainer_.theta() = *kept_;
    return std::move(history_);
  }
  evaluation_report evaluate(evaluation_type& session, const parameters_type& theta) {
    session.reset();
    for (const auto& metric : options_.metrics) metric.reset();
    options_.validate.for_each_batch(session, [&] {
      session.add(theta);
      for (const auto& metric : options_.metrics) metric.add(session);
    });
    evaluation_report report{.loss = session.loss()};
    for (const auto& metric : options_.metrics) report.metrics.push_back(metric.value());
    return report;
  }

 private:
  friend checkpoint_access;
  static constexpr bool has_rate = requires(Trainer & t) { t.optimizer().learning_rate = 0.1; };

  template <class Data>
  long rows_of(const Data& data) {
    if constexpr (WindowsFor<Data, Trainer>) return data.windows(trainer_);
    else return data.size();
  }
  template <class Data>
  double train(const Data& data, int epoch) {
    std::vector<std::vector<int>> batches;
    const long rows = rows_ = rows_of(data);
    if (rows <= 0) throw input_error("fit: the data set is empty");
    if constexpr (WindowsFor<Data, Trainer>) data.start(trainer_);
    else
      batches = batches_of_epoch(static_cast<int>(rows), Trainer::plan::batch, options_.batches,
                                 options_.shuffle, epoch, [&]([[maybe_unused]] int row) {
                                   if constexpr (requires { data.length(row); }) return data.length(row);
                                   else return 0;
                                 });
    const long steps = WindowsFor<Data, Trainer> ? rows : static_cast<long>(batches.size());
    const long together = std::max(trainer_.accumulate, 1);
    progress_.steps = (steps + together - 1) / together * options_.epochs,
    progress_.starts_epoch = batch_ == 0;
    progress bar(options_.label + " " + std::to_string(epoch) + "/" + std::to_string(options_.epochs), rows);
    if (batch_ == 0) total_ = 0;
    long done = 0;
    for (long k = 0; k < batch_ && k < steps; ++k)  // of an epoch that goes on
      done += static_cast<long>(batches[static_cast<std::size_t>(k)].size());
    for (long k = batch_; k < steps; ++k) {
      long some = 1;
      if constexpr (WindowsFor<Data, Trainer>) {
        data.set_window(trainer_, static_cast<int>(k));
      } else {
        const std::vector<int>& batch = batches[static_cast<std::size_t>(k)];
        data.set_inputs(trainer_, std::span<const int>(batch));
        some = static_cast<long>(batch.size());
      }
      if (trainer_.pending() == 0) set_rate();
      total_ += static_cast<double>(trainer_.step()) * static_cast<double>(some);
      if constexpr (WindowsFor<Data, Trainer>) data.carry(trainer_);
      if (k + 1 == steps) trainer_.update();
      if (trainer_.pending() == 0) ++progress_.step;
      done += some, progress_.starts_epoch = false;
      bar.show(done, total_ / static_cast<double>(done), rate());
      if constexpr (!WindowsFor<Data, Trainer>)
        if (k + 1 < steps && trainer_.pending() == 0 &&
            options_.checkpoint.is_due_after_step(trainer_.steps()))
          batch_ = k + 1, options_.checkpoint.save(*this);
    }
    batch_ = 0;
    return total_ / static_cast<double>(rows);
  }
  double rate() const {
    if constexpr (has_rate) return static_cast<double>(trainer_.optimizer().learning_rate);
    else return 0;
  }
  void set_rate() {
    if constexpr (has_rate)
      if (schedule_) {
        progress_.learning_rate = rate();
        trainer_.optimizer().learning_rate = schedule_(progress_);
      }
  }
  bool goes_on_after(const epoch_report& report) {
    const double loss = options_.validate ? report.validation_loss : report.loss;
    if (history_.best_epoch == 0 ? !std::isnan(loss) : loss < best_loss_) {
      history_.best_epoch = report.epoch, best_loss_ = loss;
      if (options_.stop && options_.stop->restore_best) keep();
    }
    bool continues = true;
    if (stopping_) stopping_->look_at(loss), continues = stopping_->continues();
    return options_.after_epoch(report) && continues;
  }
  void keep() {
    if (kept_) *kept_ = trainer_.theta();
    else kept_.emplace(trainer_.theta());
  }
  void write_line(const epoch_report& report) const {
    if (options_.log == nullptr) return;
    std::fprintf(options_.log, "%s %d/%d  rate %.3g  loss %.4f", options_.label.c_str(), report.epoch,
                 options_.epochs, report.learning_rate, report.loss);
    if (options_.validate) std::fprintf(options_.log, "  validation %.4f", report.validation_loss);
    for (std::size_t k = 0; k < report.metrics.size(); ++k)
      std::fprintf(options_.log, "  %s %.4f", history_.metric_names[k].c_str(), report.metrics[k]);
    std::fprintf(options_.log, "  %.2f s\n", report.seconds);
    std::fflush(options_.log);
  }

  Trainer& trainer_;
  const fit_options<Trainer>& options_;
  rate_schedule schedule_;  // a copy: what it remembers ends with the training
  training_history history_{};
  training_progress progress_{};
  std::optional<stopping_rule> stopping_{};
  std::optional<parameters_type> kept_{};  // of the best epoch
  double best_loss_ = 0;
  long rows_ = 0, batch_ = 0;  // of the data; batches of the epoch that are done, where it goes on
  double total_ = 0;           // loss of the rows of the epoch
  bool has_ended_ = false;
  std::unique_ptr<evaluation_type> evaluation_{};
};

// Stands where something is given to what is no trainer, which is said to be wrong.
struct anything {
  anything(const auto&...) {}
};
template <class Trainer>
struct trained_by {
  using session = void;
  using evaluation = void;
  using metrics = std::initializer_list<anything>;
  struct options {
    anything epochs = 0, shuffle = 0, batches = 0, validate = 0, metrics = 0, validate_average = 0,
             schedule = 0, stop = 0, after_epoch = 0, label = 0, log = 0;
  };
};
template <class Trainer>
requires requires { typename Trainer::evaluation_type; }
struct trained_by<Trainer> {
  using session = Trainer;
  using evaluation = typename Trainer::evaluation_type;
  using metrics = std::vector<any_metric<evaluation>>;
  using options = fit_options<Trainer>;
};

}  // namespace engine

// Trains on a data set. Throws input_error where there is nothing to train on, or where options do not go together.
template <class Trainer, class Data>
training_history fit(Trainer& trainer, const Data& data,
                     const typename engine::trained_by<Trainer>::options& options = {}) {
  using unfit = engine::unfit_fit<Trainer, Data, typename engine::trained_by<Trainer>::session>;
  if constexpr (unfit::wrong) {
    tenon::detail::say<tenon::detail::error_in<unfit>>();
    return {};
  } else {
    return engine::training_loop<Trainer>(trainer, options).run(data);
  }
}
template <class Trainer, class Data>
training_history fit(Trainer&, const Data&, engine::called_epoch) {
  tenon::detail::say<tenon::detail::error_in<engine::misspelt_epochs<Trainer>>>();
  return {};
}
template <class Trainer, class Data, class Options>
requires(!std::convertible_to<const Options&, const typename engine::trained_by<Trainer>::options&>)  //
    training_history fit(Trainer&, const Data&, const Options&) {
  tenon::detail::say<tenon::detail::error_in<engine::unfit_options<Options>>>();
  return {};
}
#define TENON_SENTENCE                                                                                \
  "fit takes a trainer, data, and options by their names in this order, as in fit(trainer, data, "    \
  "{.epochs = 30}): .epochs, .shuffle, .batches, .validate, .metrics, .validate_average, .schedule, " \
  ".stop, .checkpoint, .after_epoch, .label, .log"
template <class Trainer TENON_AND_SAYS(TENON_SENTENCE)>
requires requires { typename Trainer::evaluation_type; }
training_history fit(const volatile Trainer&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

// The loss over a data set, without dropout and without learning, and metrics: evaluate(trainer, test, {metric::accuracy{}}).
template <class Trainer, class Data>
evaluation_report evaluate(Trainer& trainer, const Data& data,
                           typename engine::trained_by<Trainer>::metrics metrics = {}) {
  using session_type = typename engine::trained_by<Trainer>::evaluation;
  using unfit = engine::unfit_fit<Trainer, Data, session_type>;
  if constexpr (unfit::wrong) {
    tenon::detail::say<tenon::detail::error_in<unfit>>();
    return {};
  } else {
    fit_options<Trainer> options;
    options.validate = data, options.metrics = std::move(metrics);
    session_type session;
    return engine::training_loop<Trainer>(trainer, options).evaluate(session, trainer.theta());
  }
}

}  // namespace tenon
