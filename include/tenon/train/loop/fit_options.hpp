// fit_options: the options of fit, by name, and those of any type: a callback after each epoch, a checkpoint.
#pragma once

#include "tenon/engine/rows/batches.hpp"
#include "tenon/meta/erased.hpp"
#include "tenon/system/calls.hpp"
#include "tenon/train/loop/early_stopping.hpp"
#include "tenon/train/loop/training_data.hpp"
#include "tenon/train/metrics/any_metric.hpp"
#include "tenon/train/reports/history.hpp"
#include "tenon/train/schedules/schedule.hpp"

#include <concepts>
#include <cstdio>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {

template <class F>
struct unfit_callback {
  static constexpr problem wrong{.rule = "fit calls after_epoch(report), and this one does not take it",
                                 .fix = "write [](const reports::epoch& report) { .. }"};
};
// Called after each epoch: f(report), which may return a bool; false ends the training. A callback that depends on the
// number of metrics has check_metrics(count), which may throw before the first step.
class epoch_callback {
 public:
  epoch_callback() = default;
  template <class F>
  requires(!std::same_as<F, epoch_callback>) epoch_callback(F f) {
    if constexpr (!std::invocable<F&, const reports::epoch&>)
      tenon::detail::say<tenon::detail::error_in<unfit_callback<F>>>();
    else if (!is_empty_function(f)) {
      held_ = shared_value(std::move(f));
      call_ = &call<F>;
      check_ = &check<F>;
    }
  }
  bool operator()(const reports::epoch& report) const { return !call_ || call_(held_, report); }
  void check_metrics(std::size_t count) const {
    if (check_) check_(held_, count);
  }

 private:
  template <class F>
  static bool call(const shared_value& held, const reports::epoch& report) {
    if constexpr (std::same_as<std::invoke_result_t<F&, const reports::epoch&>, bool>)
      return held.as<F>()(report);
    else held.as<F>()(report);
    return true;
  }
  template <class F>
  static void check([[maybe_unused]] const shared_value& held, [[maybe_unused]] std::size_t metrics) {
    if constexpr (requires(F & f) { f.check_metrics(metrics); }) held.as<F>().check_metrics(metrics);
  }

  shared_value held_;
  bool (*call_)(const shared_value&, const reports::epoch&) = nullptr;
  void (*check_)(const shared_value&, std::size_t) = nullptr;
};

// Where a training is saved: a `checkpoint`, held without its type, so that only its users include checkpoint.hpp.
template <class Loop>
class any_checkpoint {
 public:
  any_checkpoint() = default;
  template <class Given>
  requires requires(const Given& held, Loop& loop) {
    held.save(loop);
    held.load(loop);
  }
  any_checkpoint(Given held) : held_(std::move(held)), calls_(&calls_of<Given>) {}

  explicit operator bool() const { return static_cast<bool>(held_); }
  void load(Loop& loop) const { calls_->load(held_, loop); }
  void save(Loop& loop) const { calls_->save(held_, loop); }
  int every() const { return held_ ? calls_->epochs(held_) : 0; }  // epochs
  long steps() const { return held_ ? calls_->steps(held_) : 0; }
  bool is_due_after(int epoch) const { return held_ && epoch % calls_->epochs(held_) == 0; }
  bool is_due_after_step(long step) const { return steps() > 0 && step % steps() == 0; }

 private:
  struct calls {
    void (*load)(const shared_value&, Loop&);
    void (*save)(const shared_value&, Loop&);
    int (*epochs)(const shared_value&);
    long (*steps)(const shared_value&);
  };
  template <class Given>
  static constexpr calls calls_of{
      [](const shared_value& held, Loop& loop) { held.as<const Given>().load(loop); },
      [](const shared_value& held, Loop& loop) { held.as<const Given>().save(loop); },
      [](const shared_value& held) -> int { return held.as<const Given>().every; },
      [](const shared_value& held) -> long { return held.as<const Given>().steps; }};
  shared_value held_;
  const calls* calls_ = nullptr;
};
template <class Trainer>
class training_loop;

}  // namespace engine

namespace detail {

// Their order is in the name, for g++: "designator order for field 'fit_options<"in this order: ..">::epochs' does not match".
template <ir::text Order, class Trainer>
struct fit_options {
  int epochs = 1;
  seed shuffle{};      // the order of the rows: same seed, same order
  batching batches{};  // similar_length(20) puts rows of similar length together
  engine::any_data<typename Trainer::evaluation_type> validate{};  // data that is not trained on
  std::vector<engine::any_metric<typename Trainer::evaluation_type>> metrics{};  // of the validation
  bool validate_average =
      false;  // validates the average of the parameters in their place: see trainer::average_decay
  schedules::schedule schedule{};        // of the learning rate; none: it is constant
  std::optional<early_stopping> stop{};  // by the validation loss; without a validation, by the training loss
  engine::any_checkpoint<engine::training_loop<Trainer>>
      checkpoint{};                      // checkpoint{"run.ckpt"}, with <tenon/train.hpp>
  engine::epoch_callback after_epoch{};  // f(const reports::epoch&); if it returns false, training ends
  std::string label = "epoch";           // of the lines
  std::FILE* log =
      system_calls::is_terminal(stderr) ? stderr : nullptr;  // where each epoch writes a line; null: nowhere
};
#define TENON_MEMBERS_OF_FIT_OPTIONS                                                                     \
  ".epochs, .shuffle, .batches, .validate, .metrics, .validate_average, .schedule, .stop, .checkpoint, " \
  ".after_epoch, .label, .log"

}  // namespace detail

template <class Trainer>
using fit_options = detail::fit_options<"in this order: " TENON_MEMBERS_OF_FIT_OPTIONS, Trainer>;

namespace engine {

template <text Name, text Example, class Given>
struct unfit_value_of_option {
  static constexpr problem wrong{
      .rule = sentence("fit's option .")
                  .append(Name.view())
                  .append(" does not take '")
                  .append(type_name<Given>().view())
                  .append("'"),
      .fix = sentence("write .").append(Name.view()).append(" = ").append(Example.view())};
};
// Takes what an option of type T takes, and reports anything else.
template <class T, text Name, text Example>
struct value_of_option {
  value_of_option() = default;
  template <class Given = T>
  value_of_option(Given&&) {
    if constexpr (!std::convertible_to<Given, T> &&
                  !(std::is_aggregate_v<T> && requires(Given && value) { T{static_cast<Given&&>(value)}; }))
      tenon::detail::say<
          tenon::detail::error_in<unfit_value_of_option<Name, Example, std::decay_t<Given>>>>();
  }
};
// The members of fit_options, in their order. A call that fit_options refuses says by this which value is wrong.
template <class Trainer>
struct values_of_options {
  using options = fit_options<Trainer>;
  value_of_option<int, "epochs", "30"> epochs{};
  value_of_option<seed, "shuffle", "seed{1}"> shuffle{};
  value_of_option<tenon::detail::batching, "batches", "similar_length(20)"> batches{};
  value_of_option<decltype(options::validate), "validate", "held_out, a data set"> validate{};
  value_of_option<decltype(options::metrics), "metrics", "{metric::accuracy{}}"> metrics{};
  value_of_option<bool, "validate_average", "true"> validate_average{};
  value_of_option<schedules::schedule, "schedule", "schedules::cosine(1e-3)"> schedule{};
  value_of_option<decltype(options::stop), "stop", "early_stopping{.patience = 5}"> stop{};
  value_of_option<decltype(options::checkpoint), "checkpoint",
                  "checkpoint{\"run.ckpt\"}, with #include <tenon/train.hpp>">
      checkpoint{};
  value_of_option<epoch_callback, "after_epoch", "[](const reports::epoch& report) { .. }"> after_epoch{};
  value_of_option<std::string, "label", "\"epoch\""> label{};
  value_of_option<std::FILE*, "log", "stdout"> log{};
};

}  // namespace engine

}  // namespace tenon::inline v0_1
