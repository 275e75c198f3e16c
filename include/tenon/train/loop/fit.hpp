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

namespace tenon::inline v0_1 {

namespace engine {

struct called_epoch {    // initialised by {.epoch = 2}
  struct given_number {  // not initialised by {}
    given_number(auto) {}
  } epoch;
};
template <class Trainer>
struct unfit_name_of_epochs {
  static constexpr problem wrong{.rule = "fit has no option 'epoch'", .fix = "write {.epochs = 30}"};
};

template <class Options>
struct unfit_options {
  static constexpr problem wrong{.rule = "fit takes its options behind the data, in braces",
                                 .fix = "write fit(trainer, data, {.epochs = 30})"};
};

// What is trained by fit, and judged by evaluate: a session that knows its objective, and is not const.
template <class T>
concept Trains = !std::is_const_v<T> && requires {
  typename T::evaluation_type;
};
// The errors of the data; no type for what is no trainer.
template <Trains Trainer, class Data>
using unfit_data_of = unfit_training_data<Data, Trainer>;
template <class Trainer>
using metrics_of = std::vector<any_metric<typename Trainer::evaluation_type>>;

}  // namespace engine

// Trains on a data set. Throws input_error if there is nothing to train on, or if options contradict each other.
template <engine::Trains Trainer, class Data>
requires(!tenon::detail::Refused<engine::unfit_data_of<Trainer, Data>>)  //
    reports::history fit(Trainer& trainer, const Data& data, const fit_options<Trainer>& options = {}) {
  if constexpr (!engine::is_laid_out<typename Trainer::plan>) return {};  // already reported: no second error
  else return engine::training_loop<Trainer>(trainer, options).run(data);
}
template <engine::Trains Trainer, class Data>
requires tenon::detail::Refused<engine::unfit_data_of<Trainer, Data>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_data_of<Trainer, Data>>> fit(
        Trainer&, const Data&,
        const fit_options<Trainer>& = {} TENON_SAYS_WHY(engine::unfit_data_of<Trainer, Data>));
template <engine::Trains Trainer, class Data>
tenon::detail::refused<tenon::detail::why<engine::unfit_name_of_epochs<Trainer>>> fit(
    Trainer&, const Data&, engine::called_epoch TENON_SAYS_WHY(engine::unfit_name_of_epochs<Trainer>));
template <engine::Trains Trainer, class Data>
reports::history fit(volatile Trainer&, const Data&, const engine::values_of_options<Trainer>&) {
  return {};  // not called: the value that does not fit has been reported
}
template <engine::Trains Trainer, class Data, class Options>
requires(!std::convertible_to<const Options&, const fit_options<Trainer>&>)  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_options<Options>>> fit(
        Trainer&, const Data&, const Options& TENON_SAYS_WHY(engine::unfit_options<Options>));
#define TENON_SENTENCE                                                                             \
  "fit takes a trainer, data, and options by their names in this order, as in fit(trainer, data, " \
  "{.epochs = 30}): " TENON_MEMBERS_OF_FIT_OPTIONS
template <TENON_SAYS_AND(TENON_SENTENCE) engine::Trains Trainer>
reports::history fit(const volatile Trainer&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
// For whatever else comes first: an inference, parameters, a temporary data set as in fit(data_set(..), trainer, {.epochs = 30}).
#define TENON_SENTENCE "the first argument is not a trainer; write fit(trainer, data, {.epochs = 30})"
template <TENON_SAYS_AND(TENON_SENTENCE) class Other>
requires(!engine::Trains<Other>) reports::history fit(const Other&&, ...)
TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class Other>
requires(!engine::Trains<Other>) reports::history fit(const volatile Other&, ...)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

// The loss over a data set, without dropout or learning, and metrics: evaluate(trainer, test, {metric::accuracy{}}).
template <engine::Trains Trainer, class Data>
requires(!tenon::detail::Refused<engine::unfit_data<Data, typename Trainer::evaluation_type>>)  //
    reports::evaluation
    evaluate(Trainer& trainer, const Data& data, engine::metrics_of<Trainer> metrics = {}) {
  fit_options<Trainer> options;
  options.validate = data;
  options.metrics = std::move(metrics);
  typename Trainer::evaluation_type session;
  options.validate.check_windows(session);
  return engine::training_loop<Trainer>(trainer, options).evaluate(session, trainer.theta());
}
template <engine::Trains Trainer, class Data>
requires tenon::detail::Refused<engine::unfit_data<Data, typename Trainer::evaluation_type>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_data<Data, typename Trainer::evaluation_type>>>
    evaluate(
        Trainer&, const Data&, engine::metrics_of<Trainer> = {
        } TENON_SAYS_WHY(engine::unfit_data<Data, typename Trainer::evaluation_type>));
#define TENON_SENTENCE                                                                    \
  "evaluate takes a trainer, data, and metrics in braces, as in evaluate(trainer, data, " \
  "{metric::accuracy{}})"
template <TENON_SAYS_AND(TENON_SENTENCE) engine::Trains Trainer>
reports::evaluation evaluate(const volatile Trainer&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                         \
  "evaluate takes a trainer, which knows the objective; write trainer<graph, " \
  "losses::cross_entropy<\"logits\">, optimizers::adam> judge(theta); evaluate(judge, data)"
template <TENON_SAYS_AND(TENON_SENTENCE) class Other>
requires(!engine::Trains<Other>) reports::evaluation evaluate(const volatile Other&, ...)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
