// What a trainer runs, and the arguments that start it.
#pragma once

#include "tenon/engine/session/session.hpp"
#include "tenon/train/optimizers/update_kernel.hpp"
#include "tenon/train/trainer/evaluation.hpp"

namespace tenon::inline v0_1 {

// Rows k B/N .. (k + 1) B/N - 1 of batch<B> are part k. What runs them is in shards.hpp, on a device in
// device_shards.hpp.
template <int N>
struct shards {};

namespace engine {
// What a trainer runs: one session. A trainer with shards<N> runs several: see shards.hpp.
template <class G, class Objective, class... Options>
struct learner {
  static constexpr problem wrong =
      unfit_option<G, Objective, purpose::differentiation, option_of_session<Options>...>::wrong;
  using type = differentiation<G, Objective, option_of_session<Options>...>;
  using evaluation_type = evaluation<G, Objective, Options...>;
};
// Behind what is no rule, the options are not looked at: there may be the rule itself.
template <class G, class Objective, class Rule, class... Options>
using learner_of =
    std::conditional_t<concepts::UpdateRule<Rule>, learner<G, Objective, Options...>, learner<G, Objective>>;
// The trainer reports the error first: there the user's line is one note away.
template <bool Said, class Learner>
struct has_learner {
  using session_type = typename Learner::type;
};
// The arguments that start a trainer.
template <class Theta, class Rule>
struct training_start {
  void operator()(Theta&, Rule = {}, seed = {}, threads = {}) const;
};
template <class First = void, class Second = void, class...>
inline constexpr bool second_is_threads = std::same_as<std::remove_cvref_t<Second>, threads>;
template <class Theta, class Rule, class... Given>
concept StartsTraining = requires(training_start<Theta, Rule> start, Given&&... arguments) {
  start(static_cast<Given&&>(arguments)...);
};
}  // namespace engine

}  // namespace tenon::inline v0_1
