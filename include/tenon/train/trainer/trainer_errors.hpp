// trainer_errors: what can be wrong with a trainer, found at compile time, as problems that the trainer reports: its
// update rule, the arguments that it starts with, and calls that belong to another class.
#pragma once

#include "tenon/diagnostics/wrong_method.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/meta/type_name.hpp"
#include "tenon/train/optimizers/update_kernel.hpp"

#include <array>
#include <concepts>
#include <type_traits>

#define TENON_THREADS_ON_DEVICE \
  "threads share work on a CPU, and a device takes the whole batch at once; leave threads out"
#define TENON_WORLD_OF_ONE                                                                             \
  "behind threads, a trainer that runs in one piece takes nothing; for a communicator add the option " \
  "shards<N>: each rank runs some of N parts of the batch"
#define TENON_WORLD                                                                                        \
  "behind threads a trainer takes a communicator, which has a name, and nothing else; write train(theta, " \
  "threads{2}, world), with one of tenon/distribute"
#define TENON_WORLD_OF_DEVICES                                                                            \
  "on a device a trainer with shards<N> takes a communicator that exchanges blocks of its memory; write " \
  "train(theta, world), with a distribute::nccl world(ranks)"
#define TENON_UNWRITABLE                                                                             \
  "a trainer writes to its parameters, and these are const or end with the line; pass a block that " \
  "has a name and is not const"
#define TENON_START_OF_TRAINING                                                                            \
  "a trainer takes the parameters, then the numbers of its update rule, then a seed; write train(theta), " \
  "or "                                                                                                    \
  "train(theta, {.learning_rate = 1e-3}, seed{1})"

namespace tenon::inline v0_1 {

namespace engine {

TENON_WITHOUT(trainer_has_no_run, run, "a trainer has no run; write step()");
TENON_WITHOUT(trainer_has_no_forward, forward,
              "a trainer takes whole steps; write step(), or trainer.session().forward(theta)");
TENON_WITHOUT(trainer_has_no_backward, backward,
              "a trainer takes whole steps; write step(), or trainer.session().backward(theta, gradients)");
// Wrong parameters of a trainer: a block that it cannot write to, one of another scalar, and anything else.
template <class Theta, class G, class T, class Objective>
concept Unwritable = fits<G, Objective> && !Accepted<void(parameters<G, T>&), Theta> &&
                     std::same_as<std::remove_cvref_t<Theta>, parameters<G, T>>;
template <class Theta, class G, class T, class Objective>
concept TrainedScalar = fits<G, Objective> && !Accepted<void(parameters<G, T>&), Theta> &&
                        OfOtherScalar<std::remove_cvref_t<Theta>, G, T>;
template <class Theta, class G, class T, class Objective>
concept TrainedOther = fits<G, Objective> && !Accepted<void(parameters<G, T>&), Theta> &&
                       OfOtherGraph<std::remove_cvref_t<Theta>, G, T>;

// Words of other libraries, each the only member of a type that is initialised by {.word = 1e-3}.
struct called_lr {
  double lr;
  static constexpr const char *word = "lr", *ours = "learning_rate";
};
struct called_rate {
  double rate;
  static constexpr const char *word = "rate", *ours = "learning_rate";
};
struct called_eps {
  double eps;
  static constexpr const char *word = "eps", *ours = "epsilon";
};
template <class Numbers, class Same>
using only = std::enable_if_t<std::is_same_v<Numbers, Same>, Numbers>;
template <class Numbers, class Rule>
struct unfit_name_of_number {
  static constexpr problem wrong{.rule = sentence("update rule '")
                                             .append(type_name<Rule>().view())
                                             .append("' has no '")
                                             .append(Numbers::word)
                                             .append("'"),
                                 .fix = sentence("write {.").append(Numbers::ours).append(" = ..}")};
};

template <class P>
P& refused();  // replaces an argument that was reported as wrong; never called

template <class G, class... Given>
struct unfit_step {
  static constexpr problem wrong{
      .rule = "step takes",
      .axis = "arguments",
      .expected = 0,
      .got = sizeof...(Given),
      .fix = "give the inputs and the target before it: set_input<\"name\">(trainer, value)"};
};
struct named_update {
  void update();
};
template <class Rule>
struct update_of_both : Rule, named_update {};
// Whether a rule has a member `update` of any kind: if so, the name is ambiguous in a class
// that inherits another one too.
template <class Rule>
concept NamesUpdate = std::is_final_v<Rule> || !requires {
  &update_of_both<Rule>::update;
};
template <class Rule>
constexpr characters lacking() {
  if constexpr (!NamesUpdate<Rule>) return "a static update(w, g, states.., numbers..)";
  else if constexpr (update_arity<Rule> == 1)
    return "the gradient, behind the weight, among what `update` takes";
  else if constexpr (update_arity<Rule> == 0)
    return "an update(w, g, states.., numbers..) that is public, static and compiles with `auto` parameters";
  else if constexpr (!requires {
                       { Rule::states } -> std::convertible_to<int>;
                     })
    return "`static constexpr int states`";
  else return "`std::array<double, n> constants(long step) const`";
}
// What is wrong with an argument that should be a trainer's update rule.
template <class G, class Objective, class Rule>
struct unfit_rule_of_trainer {
  static constexpr problem wrong = [] {
    if constexpr (!fits<G, Objective>) return problem{};
    else if constexpr (
        requires { &Rule::constants; } || requires { Rule::states; } || update_arity<Rule> >= 2 ||
        (std::is_class_v<Rule> && !std::is_empty_v<Rule>))  // it holds numbers, which options do not
      return problem{.rule = sentence("update rule '")
                                 .append(type_name<Rule>().view())
                                 .append("' lacks ")
                                 .append(lacking<Rule>()),
                     .fix = "see struct sgd in tenon/train/optimizers/rule.hpp"};
    else if constexpr (IsLoss<Rule>) return unfit_second_loss<Objective, Rule>::wrong;
    else
      return problem{
          .rule = sentence("'").append(type_name<Rule>().view()).append("' is not an update rule"),
          .fix = "a trainer takes the graph, a loss, a rule such as optimizers::adam, then the options"};
  }();
};
// For a rule the errors of its optimizer as well, in one type, so that each is reported once.
template <class G, class Objective, class Rule>
using unfit_rule_of = std::conditional_t<fits<G, Objective> && concepts::UpdateRule<Rule>, unfit_rule<Rule>,
                                         unfit_rule_of_trainer<G, Objective, Rule>>;
// The type deduced from `trainer t(theta)`.
struct types_left_out {};
}  // namespace engine

template <class Objective>
struct detail::problem_of<engine::types_left_out, Objective> {
  static constexpr problem wrong{
      .rule = "a trainer's graph, loss and rule are its types",
      .fix = "write trainer<model, losses::cross_entropy<\"logits\">, optimizers::adam>, with yours"};
};

}  // namespace tenon::inline v0_1
