// fit(trainer, data, options): the training loop. Epochs of shuffled batches, a schedule of the learning rate,
// validation with metrics, early stopping, a line of progress; returns the history of the epochs. evaluate(trainer,
// data, metrics): one pass over the data.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/train/loop/training_loop.hpp"
#include "tenon/train/optimizers/groups.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon {

namespace engine {

struct called_epoch {    // initialised by {.epoch = 2}
  struct given_number {  // not initialised by {}
    given_number(auto) {}
  } epoch;
};
template <class Trainer>
struct misspelt_epochs {
  static constexpr problem wrong{.rule = "fit has no option 'epoch'", .fix = "write {.epochs = 30}"};
};

template <class Trainer, class Data, class Session>
struct unfit_fit {
  static constexpr problem wrong = unfit_data<Data, Session>::wrong;
};
template <class Trainer, class Data>
struct unfit_fit<Trainer, Data, void> {
  static constexpr problem wrong{.rule = "the first argument is not a trainer",
                                 .fix = "write fit(trainer, data, {.epochs = 30})"};
};
template <class Trainer, class Data, class Session>
struct unfit_evaluate : unfit_fit<Trainer, Data, Session> {};
template <class Judge, class Data>
struct unfit_evaluate<Judge, Data, void> {
  static constexpr problem wrong{.rule = "evaluate takes a trainer, which knows the objective",
                                 .fix =
                                     "write trainer<graph, losses::cross_entropy<\"logits\">, "
                                     "optimizers::adam> judge(theta); evaluate(judge, data)"};
};
template <class Options>
struct unfit_options {
  static constexpr problem wrong{.rule = "fit takes its options behind the data, in braces",
                                 .fix = "write fit(trainer, data, {.epochs = 30})"};
};

// Accepts any argument of a call without a trainer, so that the error is only about the missing trainer.
struct anything {
  anything(const auto&...) {}
};
struct any_metrics {  // in braces, or as a variable
  any_metrics() = default;
  any_metrics(std::initializer_list<anything>) {}
  any_metrics(const auto&) {}
};
template <class Trainer>
struct trained_by {
  using session = void;
  using evaluation = void;
  using metrics = any_metrics;
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
template <class Trainer, class Data>
using unfit_fit_of = unfit_fit<Trainer, Data, typename trained_by<Trainer>::session>;
template <class Trainer, class Data>
using unfit_evaluate_of = unfit_evaluate<Trainer, Data, typename trained_by<Trainer>::evaluation>;

}  // namespace engine

// Trains on a data set. Throws input_error if there is nothing to train on, or if options contradict each other.
template <class Trainer, class Data>
requires(!tenon::detail::Refused<engine::unfit_fit_of<Trainer, Data>>)  //
    reports::history fit(Trainer& trainer, const Data& data,
                         const typename engine::trained_by<Trainer>::options& options = {}) {
  if constexpr (!engine::is_laid_out<typename Trainer::plan>) return {};  // already reported: no second error
  else return engine::training_loop<Trainer>(trainer, options).run(data);
}
template <class Trainer, class Data>
requires tenon::detail::Refused<engine::unfit_fit_of<Trainer, Data>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_fit_of<Trainer, Data>>> fit(
        Trainer&, const Data&, const typename engine::trained_by<Trainer>::options& = {})
TENON_NOT_MADE;
template <class Trainer, class Data>
tenon::detail::refused<tenon::detail::why<engine::misspelt_epochs<Trainer>>> fit(
    Trainer&, const Data&, engine::called_epoch) TENON_NOT_MADE;
template <class Trainer, class Data, class Options>
requires(!std::convertible_to<const Options&, const typename engine::trained_by<Trainer>::options&>)  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_options<Options>>> fit(Trainer&, const Data&,
                                                                                   const Options&)
TENON_NOT_MADE;
#define TENON_SENTENCE                                                                                \
  "fit takes a trainer, data, and options by their names in this order, as in fit(trainer, data, "    \
  "{.epochs = 30}): .epochs, .shuffle, .batches, .validate, .metrics, .validate_average, .schedule, " \
  ".stop, .checkpoint, .after_epoch, .label, .log"
template <TENON_SAYS_AND(TENON_SENTENCE) class Trainer>
requires requires { typename Trainer::evaluation_type; }
reports::history fit(const volatile Trainer&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
// For a temporary data set in first place: fit(data_set(..), trainer, {.epochs = 30}).
#define TENON_SENTENCE "the first argument is not a trainer; write fit(trainer, data, {.epochs = 30})"
template <TENON_SAYS_AND(TENON_SENTENCE) class Trainer>
requires(!requires { typename Trainer::evaluation_type; })  //
    reports::history fit(const Trainer&&, ...)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

// The loss over a data set, without dropout or learning, and metrics: evaluate(trainer, test, {metric::accuracy{}}).
template <class Trainer, class Data>
requires(!tenon::detail::Refused<engine::unfit_evaluate_of<Trainer, Data>>)  //
    reports::evaluation
    evaluate(Trainer& trainer, const Data& data, typename engine::trained_by<Trainer>::metrics metrics = {}) {
  fit_options<Trainer> options;
  options.validate = data, options.metrics = std::move(metrics);
  typename Trainer::evaluation_type session;
  return engine::training_loop<Trainer>(trainer, options).evaluate(session, trainer.theta());
}
template <class Trainer, class Data>
requires tenon::detail::Refused<engine::unfit_evaluate_of<Trainer, Data>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_evaluate_of<Trainer, Data>>> evaluate(
        Trainer&, const Data&, typename engine::trained_by<Trainer>::metrics = {})
TENON_NOT_MADE;

}  // namespace tenon
