// What a trainer runs, and what starts it.
#pragma once

#include "tenon/engine/session/session.hpp"
#include "tenon/train/evaluation.hpp"

namespace tenon {

struct threads {  // of a trainer with shards<N>: at most so many run at once
  int count = 1;
};

namespace engine {
// What a trainer runs: one session. A trainer with shards<N> runs several: see shards.hpp.
template <class G, class Objective, class... Options>
struct learner {
  static constexpr problem wrong =
      unfit_option<G, Objective, purpose::differentiation, option_of_session<Options>...>::wrong;
  using type = differentiation<G, Objective, option_of_session<Options>...>;
  using evaluation_type = evaluation<G, Objective, Options...>;
};
// What is wrong is said first, in the trainer: there the user's line is one note away.
template <bool Said, class G, class Objective, class... Options>
struct has_learner {
  using session_type = typename learner<G, Objective, Options...>::type;
};
// How a trainer starts.
template <class Theta, class Rule>
struct training_start {
  void operator()(Theta&, Rule = {}, seed = {}, threads = {}) const;
};
template <class Theta, class Rule, class... Given>
concept StartsTraining = requires(training_start<Theta, Rule> start, Given&&... given) {
  start(static_cast<Given&&>(given)...);
};
}  // namespace engine

}  // namespace tenon
